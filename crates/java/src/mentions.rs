//! What the names in the bodies and annotations of a program mean, and the types of values.

use crate::play::Play;
use crate::typed::walk::{all, deep, exprs};
use crate::typed::{
    Body, Expr, ExprKind, FieldId, Formula, LocalId, MethodId, Origin, Place, Program, Stmt,
    StmtKind, Ty,
};
use source::{Mention, SourceMap, Span};

impl Play {
    /// Every expression, place and call of the files that were read, those of annotations included.
    /// What names a local variable, a field or a method says where that is declared.
    pub fn mentions(&self, sources: &SourceMap) -> Vec<Mention> {
        let program = self.program();
        let mut found = Found { program, sources, all: Vec::new() };
        let checked = program.class_ids().map(|id| program.class(id));
        for class in checked.filter(|class| class.origin == Origin::Checked) {
            let none = Body::default();
            let spec = &class.spec;
            let formulas = spec.env_assumptions.iter().chain(&spec.invariants).chain(&spec.axioms);
            formulas.for_each(|formula| found.formula(formula, &none));
            for field in class.fields.iter().map(|id| program.field(*id)) {
                let unwritable = field.spec.elements_unwritable.iter().map(|(_, formula)| formula);
                let formulas = field.spec.unwritable.iter().chain(unwritable);
                formulas.for_each(|formula| found.formula(formula, &none));
                let locks = field.spec.guards.iter().flat_map(|guard| &guard.locks);
                locks.for_each(|lock| found.expr(lock, &none));
            }
            class.static_init.iter().for_each(|body| found.body(body));
            class.methods.iter().for_each(|id| found.method(*id));
        }
        found.all.sort_by_key(|one| (one.span, one.means));
        found.all.dedup();
        found.all
    }

    /// Whether a method overrides another one or is overridden, by a place in its head.
    pub fn is_one_of_several(&self, head: Span) -> bool {
        let contains =
            |span: Span| span.file == head.file && span.start <= head.start && head.end <= span.end;
        let mut here = self.program().methods.iter().filter(|method| contains(method.span));
        here.any(|method| !method.overrides.is_empty() || !method.overridden_by.is_empty())
    }
}

struct Found<'p> {
    program: &'p Program,
    sources: &'p SourceMap,
    all: Vec<Mention>,
}

impl Found<'_> {
    fn method(&mut self, id: MethodId) {
        let method = self.program.method(id);
        let none = Body::default();
        let body = method.body.as_ref().unwrap_or(&none);
        let spec = &method.spec;
        let formulas = spec.requires.iter().chain(&spec.ensures).chain(&spec.exsures);
        formulas.chain(&spec.gives_up).for_each(|formula| self.formula(formula, body));
        spec.modifies.iter().flatten().for_each(|place| self.place(place, body));
        self.body(body);
    }

    fn body(&mut self, body: &Body) {
        all(&body.stmts, &mut |stmt| {
            exprs(stmt, &mut |expr| self.expr(expr, body));
            self.of_stmt(stmt, body);
        });
    }

    /// The places that a statement names itself.
    fn of_stmt(&mut self, stmt: &Stmt, body: &Body) {
        if let StmtKind::Init(place, _) | StmtKind::Set(place, _) = &stmt.kind {
            self.place(place, body);
        }
    }

    fn formula(&mut self, formula: &Formula, body: &Body) {
        self.expr(&formula.expr, body);
    }

    fn expr(&mut self, expr: &Expr, body: &Body) {
        let mut parts = Vec::new();
        deep(expr, &mut |part| parts.push(part));
        for part in parts {
            let (span, means) = self.named(part, body);
            self.note(span, &part.ty, means);
            match &part.kind {
                ExprKind::Assign(place, _)
                | ExprKind::AssignOp(place, _, _, _)
                | ExprKind::Step { place, .. } => self.place(place, body),
                _ => {}
            }
        }
    }

    /// The place of the name in an expression that consists of one, and where that is declared.
    fn named(&self, expr: &Expr, body: &Body) -> (Span, Option<Span>) {
        match &expr.kind {
            ExprKind::Local(id) => (expr.span, local(body, *id)),
            ExprKind::Field(_, id) | ExprKind::Static(id) => self.field(expr.span, *id),
            ExprKind::Call(callee) => {
                let from = callee.receiver.as_ref().map_or(expr.span.start, |one| one.span.end);
                let from = from.clamp(expr.span.start, expr.span.end);
                let name =
                    self.find(Span { start: from, ..expr.span }, callee.name.as_str(), false);
                let means = callee.method.map(|id| self.program.method(id).span);
                (name.unwrap_or(expr.span), name.and(means))
            }
            _ => (expr.span, None),
        }
    }

    fn field(&self, span: Span, id: FieldId) -> (Span, Option<Span>) {
        let field = self.program.field(id);
        let name = self.find(span, field.name.as_str(), true).filter(|_| !field.is_synthetic);
        (name.unwrap_or(span), name.map(|_| field.span))
    }

    fn place(&mut self, place: &Place, body: &Body) {
        match place {
            Place::Local(id, span) => {
                if let Some(about) = body.locals.get(id.index()) {
                    self.note(*span, &about.ty, Some(about.span));
                }
            }
            Place::Field(_, id, span) | Place::Static(id, span) => {
                let (span, means) = self.field(*span, *id);
                self.note(span, &self.program.field(*id).ty, means);
            }
            Place::Index(..) => {}
            Place::MapAt(inner, _, _) => self.place(inner, body),
        }
    }

    /// A name in a part of the text: the first of its kind, or the last.
    fn find(&self, span: Span, name: &str, last: bool) -> Option<Span> {
        let text = self.sources.text(span);
        let at = if last {
            text.ends_with(name).then(|| text.len() - name.len())
        } else {
            text.find(name)
        }?;
        let start = span.start + source::number(at);
        Some(Span { start, end: start + source::number(name.len()), ..span })
    }

    fn note(&mut self, span: Span, ty: &Ty, means: Option<Span>) {
        self.all.push(Mention { span, ty: self.program.type_name(ty), means });
    }
}

fn local(body: &Body, id: LocalId) -> Option<Span> {
    body.locals.get(id.index()).map(|local| local.span)
}
