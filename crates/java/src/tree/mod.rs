//! The syntax tree of a file.
//!
//! These facts hold of it: it is the program as written, names unresolved, each node with its
//! place. Parentheses are gone. Declarations of several variables are spread out. Comments with
//! annotations are gone too: what they say stands with the declaration or statement that it is
//! about ([`Clause`]).

mod clause;
mod expr;
mod stmt;

pub(crate) use clause::{Act, Acts, Clause, ClauseKind, Guard};
pub(crate) use expr::{
    AssignOp, BinaryOp, CallExpr, Expr, ExprKind, LambdaBody, LambdaParam, Literal, NewArray,
    NewExpr, Pattern, Quantified, Receiver, Reference, UnaryOp,
};
pub(crate) use stmt::{
    Block, Case, CaseLabel, Catch, ConstructorCall, LocalDecl, Resource, Rule, Stmt, StmtKind,
    Switch,
};

use source::{Name, Span};

/// A file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unit {
    /// Its package; empty for the one without a name.
    pub(crate) package: Vec<Ident>,
    pub(crate) imports: Vec<Import>,
    pub(crate) types: Vec<TypeDecl>,
}

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Ident {
    pub(crate) name: Name,
    pub(crate) span: Span,
}

/// `import static a.b.C.*;`
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) path: Vec<Ident>,
    pub(crate) is_static: bool,
    pub(crate) all: bool,
}

/// Words before a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Modifiers {
    pub(crate) is_public: bool,
    pub(crate) is_protected: bool,
    pub(crate) is_private: bool,
    pub(crate) is_static: bool,
    pub(crate) is_final: bool,
    pub(crate) is_abstract: bool,
    pub(crate) is_synchronized: bool,
    pub(crate) is_volatile: bool,
    pub(crate) is_native: bool,
    pub(crate) is_default: bool,
}

/// What stands before a declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub(crate) modifiers: Modifiers,
    pub(crate) annotations: Vec<Annotation>,
    pub(crate) clauses: Vec<Clause>,
}

/// `@Name(arguments)`
#[derive(Clone, Debug)]
pub(crate) struct Annotation {
    /// The last part of its name.
    pub(crate) name: Name,
    pub(crate) values: Vec<AnnotationValue>,
    pub(crate) span: Span,
}

/// `key = value`; the key is `value` if none is written.
#[derive(Clone, Debug)]
pub(crate) struct AnnotationValue {
    pub(crate) key: Name,
    /// Where the value is a string or a list of them: what is between the quotes.
    pub(crate) texts: Vec<Span>,
    /// What else stands there, if it is no string.
    pub(crate) other: Option<Span>,
}

/// What kind of type a declaration makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeDeclKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// A class or the like.
#[derive(Clone, Debug)]
pub(crate) struct TypeDecl {
    pub(crate) kind: TypeDeclKind,
    pub(crate) head: Head,
    pub(crate) name: Ident,
    pub(crate) params: Vec<TypeParam>,
    pub(crate) superclass: Option<Type>,
    /// What it implements, or extends if it is an interface.
    pub(crate) interfaces: Vec<Type>,
    /// Of a record.
    pub(crate) components: Vec<Param>,
    pub(crate) body: ClassBody,
    pub(crate) span: Span,
}

/// What stands between the braces of a class.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassBody {
    /// Of an enumeration.
    pub(crate) constants: Vec<EnumConstant>,
    pub(crate) fields: Vec<FieldDecl>,
    pub(crate) methods: Vec<MethodDecl>,
    pub(crate) initializers: Vec<Initializer>,
    pub(crate) types: Vec<TypeDecl>,
    /// Annotations about the class.
    pub(crate) clauses: Vec<Clause>,
}

/// `NAME(arguments) { body }`
#[derive(Clone, Debug)]
pub(crate) struct EnumConstant {
    pub(crate) name: Ident,
    pub(crate) args: Vec<Expr>,
    pub(crate) body: Option<ClassBody>,
    pub(crate) span: Span,
}

/// One variable of a class.
#[derive(Clone, Debug)]
pub(crate) struct FieldDecl {
    pub(crate) head: Head,
    pub(crate) ty: Type,
    pub(crate) name: Ident,
    pub(crate) value: Option<Expr>,
    pub(crate) is_ghost: bool,
    /// The whole declaration, of this field and of others in it.
    pub(crate) span: Span,
    /// Its place among fields and initializers, which run in this order.
    pub(crate) order: usize,
}

/// `static { }` or `{ }`
#[derive(Clone, Debug)]
pub(crate) struct Initializer {
    pub(crate) is_static: bool,
    pub(crate) body: Block,
    pub(crate) order: usize,
}

/// A method, a constructor, or an element of an annotation type.
#[derive(Clone, Debug)]
pub(crate) struct MethodDecl {
    pub(crate) head: Head,
    pub(crate) type_params: Vec<TypeParam>,
    /// `None` for a constructor.
    pub(crate) result: Option<Type>,
    pub(crate) name: Ident,
    pub(crate) params: Vec<Param>,
    pub(crate) is_varargs: bool,
    pub(crate) body: Option<Block>,
    /// A constructor of a record without parameters of its own.
    pub(crate) is_compact: bool,
    /// All of it up to its body.
    pub(crate) span: Span,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) head: Head,
    pub(crate) ty: Type,
    pub(crate) name: Ident,
}

/// `T extends A & B`
#[derive(Clone, Debug)]
pub(crate) struct TypeParam {
    pub(crate) name: Ident,
    pub(crate) bounds: Vec<Type>,
}

/// A type as written.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    pub(crate) kind: TypeKind,
    pub(crate) span: Span,
}

/// What a written type is.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Void,
    Prim(Prim),
    /// `a.b.C<T>.D`
    Named(Vec<TypeSegment>),
    Array(Box<Type>),
    /// `var`
    Inferred,
    /// `?`, `? extends T`, `? super T`
    Wildcard(Option<(Bound, Box<Type>)>),
    /// `K -> V` of ghosts in annotations.
    Map(Box<Type>, Box<Type>),
}

/// A bound of a wildcard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Extends,
    Super,
}

/// One name of a written type with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct TypeSegment {
    pub(crate) name: Ident,
    pub(crate) args: Vec<Type>,
}

/// A primitive type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Prim {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
}

impl Prim {
    /// How it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Char => "char",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// The one that is written so.
    pub(crate) fn of(text: &str) -> Option<Self> {
        use Prim::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
        [Boolean, Byte, Short, Char, Int, Long, Float, Double]
            .into_iter()
            .find(|prim| prim.text() == text)
    }

    /// Whether its values are whole numbers.
    pub(crate) fn is_integral(self) -> bool {
        !matches!(self, Self::Boolean | Self::Float | Self::Double)
    }
}
