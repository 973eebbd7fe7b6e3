//! What a template may do in all: every check spends from one budget before the work is done.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use minijinja::value::{Object, ObjectRepr, ValueKind, from_args};
use minijinja::{Environment, Error, ErrorKind, State, Value, escape_formatter, functions};

use super::ChatError;

// The checks are functions that a template cannot call: no name in it has a space.
pub const WEIGH: &str = "weigh these";
pub const AT: &str = "look one up";
pub const ADD: &str = "add two";
pub const MULTIPLY: &str = "multiply two";
pub const SLICE: &str = "cut a slice";
pub const LOOP: &str = "begin a loop";
pub const FILTER: &str = "use this filter";
pub const METHOD: &str = "use this method";
pub const KEEP: &str = "keep this in a namespace";
pub const SETTLE: &str = "compute it now";
pub const REFUSE: &str = "say no";

/// Lists in lists: Rust compares, prints and frees them by functions that call themselves.
const DEEPEST: usize = 16;

const LONGEST_RANGE: usize = 100_000;

/// Whether a namespace has any values is asked by making a list of them all.
const LARGEST_NAMESPACE: usize = 200;

/// What one value in a list or a map takes, roughly.
const ITEM: usize = 64;

/// The bytes that a template may still make or look at.
#[derive(Clone)]
pub struct Work {
    most: usize,
    left: Arc<AtomicUsize>,
}

impl Work {
    pub fn new(bytes: usize) -> Work {
        Work { most: bytes, left: Arc::new(AtomicUsize::new(bytes)) }
    }

    /// What an error of the library means.
    pub fn error(&self, error: Error) -> ChatError {
        match error.kind() {
            ErrorKind::WriteFailure => ChatError::TooMuch { bytes: self.most },
            _ => error.into(),
        }
    }

    /// Spends what `work` does, so many times over.
    pub fn times(
        &self,
        times: usize,
        work: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let before = self.left.load(Relaxed);
        work()?;
        let once = before - self.left.load(Relaxed);
        self.spend(once.saturating_mul(times - 1))
    }

    pub fn spend(&self, bytes: usize) -> Result<(), Error> {
        match self.left.load(Relaxed).checked_sub(bytes) {
            Some(rest) => {
                self.left.store(rest, Relaxed);
                Ok(())
            }
            None => Err(ErrorKind::WriteFailure.into()),
        }
    }

    /// Spends what it takes to compare a value, or to write it: no more than ten bytes for one in
    /// a text, and those only in a list (`\u{1f}`).
    pub fn weigh(&self, value: &Value) -> Result<(), Error> {
        self.weigh_at(0, value)
    }

    fn weigh_at(&self, depth: usize, value: &Value) -> Result<(), Error> {
        if let Some(text) = value.as_str() {
            return self.spend(ITEM + if depth == 0 { 1 } else { 10 } * text.len());
        }
        let is_map = value.kind() == ValueKind::Map;
        if !is_map && !matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable) {
            return self.spend(ITEM.max(text_of(value).len())); // a number may have 300 digits
        }
        self.spend(ITEM)?;
        if depth == DEEPEST {
            let problem = format!("more than {DEEPEST} lists or maps in each other");
            return Err(Error::new(ErrorKind::InvalidOperation, problem));
        }
        for item in value.try_iter()? {
            self.weigh_at(depth + 1, &item)?;
            if is_map {
                self.weigh_at(depth + 1, &value.get_item(&item)?)?;
            }
        }
        Ok(())
    }

    /// How much of a value has to be gone through to reach its end.
    fn length(value: &Value) -> usize {
        value.as_str().map_or_else(|| ITEM * value.len().unwrap_or(1), str::len)
    }

    /// `a[b]`: a list has its items side by side; a text and a range are walked through. A key can
    /// be anything, and a map looks at all of it.
    fn at(&self, operands: &[Value]) -> Result<(), Error> {
        let [value, key] = operands else { return Ok(()) };
        self.weigh(key)?;
        match value.kind() {
            ValueKind::Seq | ValueKind::Map => Ok(()),
            _ => self.spend(Work::length(value)),
        }
    }

    fn walk(&self, operands: &[Value]) -> Result<(), Error> {
        operands.iter().try_for_each(|value| self.spend(Work::length(value)))
    }

    pub fn multiply(&self, operands: &[Value]) -> Result<(), Error> {
        let times = operands.iter().find_map(Value::as_usize).unwrap_or(0);
        let lengths = operands.iter().filter(|value| !value.is_number()).map(Work::length);
        lengths.max().map_or(Ok(()), |length| self.spend(length.saturating_mul(times)))
    }

    fn slice(&self, operands: &mut [Value]) -> Result<(), Error> {
        let [value, start, stop, step] = operands else { return Ok(()) };
        self.spend(Work::length(value))?;
        let whole = start.is_none() && stop.is_none();
        match step.as_i64() {
            // The library's own loop backwards does not stop where nothing is.
            Some(-1) if whole && value.len() == Some(0) => *step = Value::from(1),
            Some(-1) if whole => (),
            Some(step) if step < 1 => {
                return Err(unsupported("a slice with that step: take 1 or more, or [::-1]"));
            }
            _ => (),
        }
        Ok(())
    }

    /// What a filter or a method is about to do with its operands, of which the first is its own.
    /// Whatever is no text counts as the text that the library makes of it.
    fn apply(&self, name: &str, operands: &[Value]) -> Result<(), Error> {
        let Some((value, rest)) = operands.split_first() else { return Ok(()) };
        rest.iter().try_for_each(|value| self.weigh(value))?;
        let text = value.as_str();
        let lengths = || rest.iter().map(|value| text_of(value).len());
        match (name, text) {
            ("length" | "count", None) if rest.is_empty() => Ok(()),
            ("default" | "d" | "get", _) => Ok(()),
            ("startswith" | "endswith", Some(_)) => Ok(()), // the other text is weighed
            ("cycle", None) if rest.is_empty() => Err(unsupported("a cycle of nothing")),
            ("list", Some(text)) => self.spend(ITEM.saturating_mul(text.len())),
            ("list" | "items" | "keys" | "values" | "first" | "last", None) => {
                self.spend(Work::length(value))
            }
            ("strip" | "lstrip" | "rstrip" | "trim", _) => {
                self.weigh(value)?;
                self.spend(text_of(value).len().saturating_mul(lengths().sum()))
            }
            ("replace", Some(text)) => {
                self.spend(text.len())?;
                let places = rest.first().map_or(0, |old| text.matches(&*text_of(old)).count());
                self.spend(places.saturating_mul(lengths().sum()))
            }
            ("split", Some(text)) => {
                self.spend(text.len())?;
                let pieces = match rest.first().and_then(Value::as_str) {
                    Some(between) => text.matches(between).count(),
                    None => text.matches(char::is_whitespace).count(),
                };
                self.spend(pieces.saturating_mul(ITEM))
            }
            ("splitlines", Some(text)) => {
                self.spend(text.len())?;
                self.spend(text.lines().count().saturating_mul(ITEM))
            }
            // Between two items comes a text; of each item an attribute may be looked up.
            ("join", _) => {
                self.weigh(value)?;
                self.spend(value.len().unwrap_or(0).saturating_mul(lengths().sum()))
            }
            ("format", _) => Err(unsupported("format")),
            ("replace", None) => Err(unsupported("replace in what is not a text")),
            (_, Some(text)) => self.spend(8 * text.len()), // `tojson` makes six bytes of some
            _ => self.weigh(value),
        }
    }

    /// A namespace keeps plain values only: no other namespace, so that none contains itself.
    fn keep(&self, value: &Value) -> Result<(), Error> {
        self.weigh(value)?;
        let plain = match value.kind() {
            ValueKind::Map => {
                value.as_object().is_some_and(|map| map.type_name().contains("Map"))
            }
            ValueKind::Iterable | ValueKind::Plain => false,
            _ => true,
        };
        if !plain {
            return Err(unsupported(
                "a namespace with something other than plain values in it",
            ));
        }
        if value.as_object().is_none() {
            return Ok(());
        }
        for item in value.try_iter()? {
            self.keep(&item)?;
            if value.kind() == ValueKind::Map {
                self.keep(&value.get_item(&item)?)?;
            }
        }
        Ok(())
    }

    fn namespace(&self, state: &mut State, values: Vec<Value>) -> Result<Value, Error> {
        for value in &values {
            self.weigh(value)?;
            for key in value.try_iter()? {
                self.keep(&value.get_item(&key)?)?;
            }
        }
        Value::from_function(functions::namespace).call(state, &values)
    }

    /// A list that would be computed anew whenever it is read is computed once.
    fn settle(&self, value: Value) -> Result<Value, Error> {
        if value.kind() != ValueKind::Iterable {
            return Ok(value);
        }
        let mut items = Vec::new();
        for item in value.try_iter()? {
            self.spend(ITEM)?;
            items.push(item);
        }
        Ok(Value::from(items))
    }

    /// Makes the checks known to the programs of this environment, and the three functions that
    /// templates call.
    pub fn watch(&self, environment: &mut Environment) {
        let functions: [(&'static str, Call); 14] = [
            (WEIGH, |work, _, values| {
                values.iter().try_for_each(|value| work.weigh(value))?;
                Ok(to_stack(values))
            }),
            (AT, |work, _, values| work.at(&values).map(|()| to_stack(values))),
            (ADD, |work, _, values| work.walk(&values).map(|()| to_stack(values))),
            (LOOP, |work, _, values| work.walk(&values).map(|()| to_stack(values))),
            (MULTIPLY, |work, _, values| work.multiply(&values).map(|()| to_stack(values))),
            (SLICE, |work, _, mut values| work.slice(&mut values).map(|()| to_stack(values))),
            (FILTER, |work, _, mut values| {
                let name = values.pop().unwrap_or_default();
                work.apply(name.as_str().unwrap_or(""), &values).map(|()| to_stack(values))
            }),
            (METHOD, |work, _, mut values| {
                let name = values.pop().unwrap_or_default();
                match (name.as_str(), &values[..]) {
                    // The filter's own operand is the list, the method's is what comes between.
                    (Some("join"), [between, list]) => {
                        work.apply("join", &[list.clone(), between.clone()])?;
                    }
                    (name, operands) => work.apply(name.unwrap_or(""), operands)?,
                }
                Ok(to_stack(values))
            }),
            (KEEP, |work, _, mut values| {
                let [value, namespace] = &mut values[..] else { return Ok(to_stack(values)) };
                *value = work.settle(value.clone())?;
                work.keep(value)?;
                match namespace.len() {
                    Some(LARGEST_NAMESPACE..) => Err(unsupported("a namespace of 200 values")),
                    _ => Ok(to_stack(values)),
                }
            }),
            (SETTLE, |work, _, values| work.settle(only(&values))),
            (REFUSE, |_, _, values| Err(unsupported(only(&values).as_str().unwrap_or("this")))),
            ("namespace", Work::namespace),
            ("range", |_, _, values| range(from_args(&values)?)),
            ("raise_exception", |work, _, values| {
                let reason = only(&values);
                work.weigh(&reason)?;
                Err(Error::new(ErrorKind::InvalidOperation, reason.to_string()))
            }),
        ];
        for (name, call) in functions {
            environment.add_global(name, Value::from_object(Function(self.clone(), call)));
        }
        let work = self.clone();
        environment.set_formatter(move |out, state, value| {
            work.weigh(value)?;
            escape_formatter(out, state, value)
        });
    }
}

type Call = fn(&Work, &mut State, Vec<Value>) -> Result<Value, Error>;

/// What a program calls. It gets named arguments too, which a Rust function would have to expect.
struct Function(Work, Call);

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a function")
    }
}

impl Object for Function {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, state: &mut State, args: &[Value]) -> Result<Value, Error> {
        (self.1)(&self.0, state, args.to_vec())
    }
}

/// Python's `range`: up to `a`, or from `a` to `b`.
fn range((a, b, step): (i64, Option<i64>, Option<i64>)) -> Result<Value, Error> {
    let (from, to) = b.map_or((0, a), |b| (a, b));
    let (from, to, step) = (i128::from(from), i128::from(to), i128::from(step.unwrap_or(1)));
    if step == 0 {
        return Err(unsupported("a range with steps of 0"));
    }
    let count = (to - from + step - step.signum()) / step;
    let Ok(count @ 0..=LONGEST_RANGE) = usize::try_from(count.max(0)) else {
        return Err(unsupported("a range of more than 100000 numbers"));
    };
    let numbers = (0..count).map(move |n| (from + n as i128 * step) as i64);
    Ok(Value::make_iterable(move || numbers.clone()))
}

/// The text that the library makes of a value.
fn text_of(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| value.to_string().into(), Cow::from)
}

fn only(values: &[Value]) -> Value {
    values.first().cloned().unwrap_or_default()
}

/// `UnpackList` puts the first one on top.
fn to_stack(mut values: Vec<Value>) -> Value {
    values.reverse();
    Value::from(values)
}

fn unsupported(what: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("{what} is not supported here"))
}
