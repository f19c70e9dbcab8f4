//! Values of a model.

use crate::sexp::Sexp;
use std::collections::BTreeMap;
use std::fmt;

/// A value, as solvers print it.
///
/// Two arrays with the same entries compare equal however they were printed: entries are sorted,
/// each key occurs once, and no entry equals the default.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer. One that does not fit is [`Value::Other`].
    Int(i128),
    /// A rational number with a positive denominator, reduced.
    Real {
        /// The upper number.
        numerator: i128,
        /// The part below.
        denominator: i128,
    },
    /// An element of an uninterpreted sort, for example `Node!val!3`.
    Opaque(String),
    /// A function from keys to values with finitely many exceptions.
    Array {
        /// The value at every key without an entry.
        default: Box<Value>,
        /// The exceptions.
        entries: Vec<(Value, Value)>,
    },
    /// Anything else, as text.
    Other(String),
}

impl Value {
    /// Reads a value. A form that is not understood becomes [`Value::Other`].
    pub fn from_sexp(sexp: &Sexp) -> Self {
        Reader { bound: BTreeMap::new(), steps: MAX_STEPS }.value(sexp, 0)
    }

    /// The value of an array at a key.
    pub fn at(&self, key: &Self) -> Option<&Self> {
        let Self::Array { default, entries } = self else { return None };
        Some(entries.iter().find(|(entry, _)| entry == key).map_or(default, |(_, value)| value))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Real { numerator, denominator: 1 } => write!(f, "{numerator}.0"),
            Self::Real { numerator, denominator } => write!(f, "{numerator}/{denominator}"),
            Self::Opaque(text) | Self::Other(text) => f.write_str(text),
            Self::Array { default, entries } => {
                f.write_str("[")?;
                for (key, value) in entries {
                    write!(f, "{key}: {value}, ")?;
                }
                write!(f, "else: {default}]")
            }
        }
    }
}

/// Limit on the nesting of values, which nest as deep as the sorts of the encoding; deeper ones are
/// kept as text.
const MAX_DEPTH: usize = 32;
/// Limit on looked-up names. No solver binds a name to itself, but nonsense must end, too.
const MAX_STEPS: usize = 1_000_000;

struct Reader<'s> {
    /// The names bound by `let`. Solvers do not bind one name twice in one value.
    bound: BTreeMap<&'s str, &'s Sexp>,
    /// The number of names that may still be looked up.
    steps: usize,
}

impl<'s> Reader<'s> {
    fn value(&mut self, sexp: &'s Sexp, depth: usize) -> Value {
        let sexp = self.resolve(sexp);
        if depth > MAX_DEPTH {
            return Value::Other(sexp.to_string());
        }
        let items = match sexp {
            Sexp::Atom(text) => return atom(text),
            Sexp::List(items) => items,
        };
        let read = match items.as_slice() {
            // (- value)
            [Sexp::Atom(minus), operand] if minus == "-" => negate(self.value(operand, depth + 1)),
            // (/ numerator denominator)
            [Sexp::Atom(slash), above, below] if slash == "/" => {
                quotient(&self.value(above, depth + 1), &self.value(below, depth + 1))
            }
            // (as @Node_0 Node)
            [Sexp::Atom(word), Sexp::Atom(name), _] if word == "as" && name.starts_with('@') => {
                Some(Value::Opaque(name.clone()))
            }
            // (store array key value), ((as const sort) value)
            [Sexp::Atom(word), _, _, _] if word == "store" => self.array(sexp, depth),
            [Sexp::List(_), _] => self.array(sexp, depth),
            // (lambda ((x sort)) body)
            [Sexp::Atom(word), parameters, body] if word == "lambda" => {
                self.lambda(parameters, body, depth)
            }
            _ => None,
        };
        read.unwrap_or_else(|| Value::Other(sexp.to_string()))
    }

    /// Looks through `let` and the names it binds.
    fn resolve(&mut self, mut sexp: &'s Sexp) -> &'s Sexp {
        while self.steps > 0 {
            self.steps -= 1;
            let next = match sexp {
                Sexp::Atom(name) => self.bound.get(name.as_str()).copied(),
                Sexp::List(_) => self.enter_let(sexp),
            };
            match next {
                Some(next) => sexp = next,
                None => break,
            }
        }
        sexp
    }

    /// If this is `(let ((name value) ...) body)`: binds the names, returns the body.
    fn enter_let(&mut self, sexp: &'s Sexp) -> Option<&'s Sexp> {
        let [Sexp::Atom(word), Sexp::List(bindings), body] = sexp.as_list()? else { return None };
        if word != "let" {
            return None;
        }
        for binding in bindings {
            if let Some([Sexp::Atom(name), value]) = binding.as_list() {
                self.bound.insert(name, value);
            }
        }
        Some(body)
    }

    /// A chain of `store` that ends in a constant array or a lambda.
    fn array(&mut self, mut sexp: &'s Sexp, depth: usize) -> Option<Value> {
        let mut stores = Vec::new();
        loop {
            if self.steps == 0 {
                return None;
            }
            sexp = self.resolve(sexp);
            match sexp.as_list()? {
                [Sexp::Atom(word), inner, key, value] if word == "store" => {
                    stores.push((self.value(key, depth + 1), self.value(value, depth + 1)));
                    sexp = inner;
                }
                [Sexp::List(head), default] => {
                    let [Sexp::Atom(word), Sexp::Atom(constant), _] = head.as_slice() else {
                        return None;
                    };
                    if word != "as" || constant != "const" {
                        return None;
                    }
                    return Some(array(self.value(default, depth + 1), stores));
                }
                [Sexp::Atom(word), parameters, body] if word == "lambda" => {
                    let Value::Array { default, entries } = self.lambda(parameters, body, depth)?
                    else {
                        return None;
                    };
                    stores.extend(entries);
                    return Some(array(*default, stores));
                }
                _ => return None,
            }
        }
    }

    /// A lambda over one variable whose body is a table: a chain of `ite` over equations, or a
    /// condition made of them.
    fn lambda(&mut self, parameters: &'s Sexp, body: &'s Sexp, depth: usize) -> Option<Value> {
        let [parameter] = parameters.as_list()? else { return None };
        let [Sexp::Atom(variable), _] = parameter.as_list()? else { return None };
        let mut entries = Vec::new();
        let mut body = self.resolve(body);
        while let Some([Sexp::Atom(word), condition, then, otherwise]) = body.as_list() {
            if word != "ite" {
                break;
            }
            let keys = self.keys(condition, variable, depth)?;
            if mentions(then, variable) {
                return None;
            }
            let value = self.value(then, depth + 1);
            entries.extend(keys.into_iter().map(|key| (key, value.clone())));
            body = self.resolve(otherwise);
        }
        if !mentions(body, variable) {
            return Some(array(self.value(body, depth + 1), entries));
        }
        let (condition, holds) = match body.as_list() {
            Some([Sexp::Atom(word), condition]) if word == "not" => (condition, false),
            _ => (body, true),
        };
        let keys = self.keys(condition, variable, depth)?;
        entries.extend(keys.into_iter().map(|key| (key, Value::Bool(holds))));
        Some(array(Value::Bool(!holds), entries))
    }

    /// The keys at which `(= variable key)`, or an `or` of such equations, holds.
    fn keys(&mut self, condition: &'s Sexp, variable: &str, depth: usize) -> Option<Vec<Value>> {
        let condition = self.resolve(condition);
        let (word, operands) = condition.as_list()?.split_first()?;
        match (word.as_atom()?, operands) {
            ("or", alternatives) => {
                let mut keys = Vec::new();
                for alternative in alternatives {
                    keys.extend(self.equation(alternative, variable, depth));
                }
                (keys.len() == alternatives.len()).then_some(keys)
            }
            _ => self.equation(condition, variable, depth).map(|key| vec![key]),
        }
    }

    fn equation(&mut self, condition: &'s Sexp, variable: &str, depth: usize) -> Option<Value> {
        let [Sexp::Atom(word), left, right] = self.resolve(condition).as_list()? else {
            return None;
        };
        let key = match (left.as_atom() == Some(variable), right.as_atom() == Some(variable)) {
            (true, false) => right,
            (false, true) => left,
            _ => return None,
        };
        (word == "=" && !mentions(key, variable)).then(|| self.value(key, depth + 1))
    }
}

fn atom(text: &str) -> Value {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let other = || Value::Other(text.to_owned());
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ if digits(text) => text.parse().map_or_else(|_| other(), Value::Int),
        _ if text.contains("!val!") || text.starts_with('@') => Value::Opaque(text.to_owned()),
        _ => match text.split_once('.') {
            Some((whole, fraction)) if digits(whole) && digits(fraction) => {
                decimal(whole, fraction.trim_end_matches('0')).unwrap_or_else(other)
            }
            _ => other(),
        },
    }
}

fn decimal(whole: &str, fraction: &str) -> Option<Value> {
    let denominator = 10i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    fraction_of(format!("{whole}{fraction}").parse().ok()?, denominator)
}

fn negate(value: Value) -> Option<Value> {
    match value {
        Value::Int(value) => value.checked_neg().map(Value::Int),
        Value::Real { numerator, denominator } => {
            numerator.checked_neg().map(|numerator| Value::Real { numerator, denominator })
        }
        Value::Bool(_) | Value::Opaque(_) | Value::Array { .. } | Value::Other(_) => None,
    }
}

fn quotient(above: &Value, below: &Value) -> Option<Value> {
    let parts = |value: &Value| match *value {
        Value::Int(value) => Some((value, 1)),
        Value::Real { numerator, denominator } => Some((numerator, denominator)),
        Value::Bool(_) | Value::Opaque(_) | Value::Array { .. } | Value::Other(_) => None,
    };
    let ((a, b), (c, d)) = (parts(above)?, parts(below)?);
    fraction_of(a.checked_mul(d)?, b.checked_mul(c)?)
}

fn fraction_of(numerator: i128, denominator: i128) -> Option<Value> {
    let (mut divisor, mut rest) = (denominator.checked_abs()?, numerator.checked_abs()?);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    // A zero denominator leaves no sign to divide by.
    let divisor = divisor.checked_mul(denominator.signum()).filter(|divisor| *divisor != 0)?;
    Some(Value::Real { numerator: numerator / divisor, denominator: denominator / divisor })
}

/// An array; of several entries for one key the first counts.
fn array(default: Value, entries: Vec<(Value, Value)>) -> Value {
    let mut table = BTreeMap::new();
    for (key, value) in entries {
        table.entry(key).or_insert(value);
    }
    let entries = table.into_iter().filter(|(_, value)| *value != default).collect();
    Value::Array { default: Box::new(default), entries }
}

fn mentions(sexp: &Sexp, variable: &str) -> bool {
    let mut pending = vec![sexp];
    while let Some(sexp) = pending.pop() {
        match sexp {
            Sexp::Atom(text) if text == variable => return true,
            Sexp::Atom(_) => {}
            Sexp::List(items) => pending.extend(items),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::Value;
    use crate::Sexp;
    use std::fmt::Write as _;

    fn check(text: &str, printed: &str) {
        let value = Value::from_sexp(&Sexp::parse(text).expect("well-formed"));
        assert_eq!(value.to_string(), printed, "{value:?}");
    }

    #[test]
    fn scalars() {
        check("true", "true");
        check("(- 3)", "-3");
        check("(/ 1.0 2.0)", "1/2");
        check("(- (/ 10.0 4.0))", "-5/2");
        check("(/ (- 1) 2)", "-1/2");
        check("0.250", "1/4");
        check("(- 7.0)", "-7.0");
        check("Node!val!3", "Node!val!3");
        check("(as @Node_1 Node)", "@Node_1");
        check("(Some (- 7))", "(Some (- 7))");
        check(
            "123456789012345678901234567890123456789012",
            "123456789012345678901234567890123456789012",
        );
        check("(/ 1.0 0.0)", "(/ 1.0 0.0)");
    }

    #[test]
    fn arrays() {
        check("((as const (Array Int Int)) (- 4))", "[else: -4]");
        check("(store (store ((as const (Array Int Int)) 0) 3 1) 3 2)", "[3: 2, else: 0]");
        check("(store (store ((as const (Array Int Int)) 0) 5 1) 3 0)", "[5: 1, else: 0]");
        check(
            "((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) false))",
            "[else: [else: false]]",
        );
        check("(_ as-array f)", "(_ as-array f)");
    }

    #[test]
    fn lets() {
        check(
            "(let ((a!1 (store ((as const (Array Int Int)) 0) 1 12))) (let ((a!2 (store a!1 4 45))) (store a!2 8 444)))",
            "[1: 12, 4: 45, 8: 444, else: 0]",
        );
        check("(let ((a!1 a!1)) a!1)", "a!1");
        check("(let ((a!1 (- a!1))) a!1)", "(- a!1)");
        check("(let ((a!1 (store a!1 0 1))) a!1)", "(store a!1 0 1)");
    }

    #[test]
    fn lambdas() {
        check("(lambda ((x Int)) (ite (= x 3) 1 0))", "[3: 1, else: 0]");
        check(
            "(lambda ((x Int)) (ite (= 3 x) 1 (ite (or (= x 4) (= x 5)) 2 0)))",
            "[3: 1, 4: 2, 5: 2, else: 0]",
        );
        check("(lambda ((x Int)) (= x 3))", "[3: true, else: false]");
        check("(lambda ((x Int)) (not (= x 3)))", "[3: false, else: true]");
        check("(store (lambda ((x Int)) (ite (= x 3) 1 0)) 3 7)", "[3: 7, else: 0]");
        check("(lambda ((x Int)) (ite (<= x 3) 0 1))", "(lambda ((x Int)) (ite (<= x 3) 0 1))");
        check("(lambda ((x Int)) (ite (= x 3) x 0))", "(lambda ((x Int)) (ite (= x 3) x 0))");
    }

    #[test]
    fn long_chains_and_deep_values() {
        let count = 20_000;
        let mut text = "(store ".repeat(count) + "((as const (Array Int Int)) 0)";
        for key in 0..count {
            write!(text, " {key} 1)").expect("writing to memory");
        }
        let value = Value::from_sexp(&Sexp::parse(&text).expect("well-formed"));
        assert_eq!(value.at(&Value::Int(19_999)), Some(&Value::Int(1)));
        assert_eq!(value.at(&Value::Int(20_000)), Some(&Value::Int(0)));
        let deep = "(- ".repeat(100_000) + "1" + &")".repeat(100_000);
        assert!(matches!(
            Value::from_sexp(&Sexp::parse(&deep).expect("well-formed")),
            Value::Other(_)
        ));
    }
}
