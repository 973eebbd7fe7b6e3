use std::collections::{BTreeSet, HashMap, VecDeque};
use std::slice;

use ground::chat::PythonSpacing;
use serde::Serialize;
use serde_json::ser::Serializer;
use serde_json::{Map, Value, json};

use crate::grammar::{Grammar, MANY, Node, RULES, Rule, Rules, SchemaError};
use crate::numbers::{DIGITS, between};

/// Keywords that say nothing about what is valid.
const NOTES: &str = "title description default examples deprecated readOnly writeOnly $schema $id $comment $defs definitions";
/// Keywords about values of one type: whatever they say, values of the others are valid.
const OF_TYPES: &str = "type properties required additionalProperties items minItems maxItems \
    minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum";
/// Keywords that say everything by themselves.
const ALONE: &str = "$ref anyOf allOf enum const";
/// The last one is some numbers, so it's none of its own.
const TYPES: [&str; 7] = ["object", "array", "string", "number", "boolean", "null", "integer"];

/// The last day of a February is left out where it's the 29th.
const DATE: &str = "[1-9][0-9]{3}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)";
const TIME: &str = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])";
const UUID: &str = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const EMAIL: &str =
    r"[a-zA-Z0-9_+-]{1,32}(\.[a-zA-Z0-9_+-]{1,32}){0,3}@([a-z0-9]{1,32}\.){1,3}[a-z]{2,10}";

/// The way to a schema within others may have so many parts.
const DEPTH: usize = 200;
/// A reference to any JSON. Others are empty or begin with a slash.
const ANY: &str = "any";

impl Grammar {
    /// Of the answers that are valid by a JSON schema.
    pub fn from_schema(schema: &Value) -> Result<Grammar, SchemaError> {
        let mut rules = Rules::begin();
        let root = rules.schema(schema)?;
        rules.grammar(root)
    }
}

impl Rules {
    /// A value that is valid by a JSON schema.
    pub fn schema(&mut self, schema: &Value) -> Compiled {
        let (path, references, open) = Default::default();
        let mut compiler = Compiler { schema, rules: self, path, references, open };
        let root = compiler.schema(schema)?;
        // What a reference points at has its rule later: it may be something that the reference is in.
        while let Some((pointer, rule)) = compiler.open.pop_front() {
            let any = json!({});
            let target = schema.pointer(&pointer).unwrap_or(&any);
            compiler.path = pointer;
            let target = compiler.schema(target)?;
            compiler.rules.nodes[rule as usize] = Node::Alt(vec![target]);
        }
        Ok(root)
    }
}

struct Compiler<'a> {
    schema: &'a Value,
    rules: &'a mut Rules,
    path: String,
    references: HashMap<String, Rule>,
    open: VecDeque<(String, Rule)>,
}

type Compiled = Result<Rule, SchemaError>;

impl Compiler<'_> {
    fn error<T>(&self, why: impl Into<String>) -> Result<T, SchemaError> {
        Err(SchemaError { path: self.path.clone(), why: why.into() })
    }

    /// The rule of a schema within the one that's being read.
    fn within(&mut self, parts: &[&str], schema: &Value) -> Compiled {
        let before = self.path.len();
        let escaped = |part: &&str| format!("/{}", part.replace('~', "~0").replace('/', "~1"));
        self.path.extend(parts.iter().map(escaped));
        let rule = self.schema(schema)?;
        self.path.truncate(before);
        Ok(rule)
    }

    fn schema(&mut self, schema: &Value) -> Compiled {
        let map = match schema {
            Value::Bool(true) => return Ok(self.reference(ANY)),
            Value::Bool(false) => return Ok(self.rules.alt(Vec::new())),
            Value::Object(map) => map,
            _ => return self.error("expected a schema: an object, true or false"),
        };
        if self.path.matches('/').count() > DEPTH || self.rules.nodes.len() > RULES {
            let why =
                format!("more than {DEPTH} parts in the way here, or {RULES} rules in all");
            return self.error(why);
        }
        let is_in = |list: &str, key: &str| list.split(' ').any(|known| known == key);
        // Below the top, references would begin anew at an $id.
        let is_note = |key: &str| is_in(NOTES, key) && (key != "$id" || self.path.is_empty());
        let said = map.keys().map(String::as_str).filter(|key| !is_note(key));
        let (alone, others): (Vec<&str>, Vec<&str>) = said.partition(|key| is_in(ALONE, key));
        let known = match alone[..] {
            [] => OF_TYPES,
            ["enum" | "const", ..] => "type",
            _ => "",
        };
        let others = others.iter().filter(|key| !is_in(known, key)).chain(alone.iter().skip(1));
        if let Some(other) = others.last() {
            let beside = alone.first().map(|key| format!(" beside {key}")).unwrap_or_default();
            return self.error(format!("{other}{beside} is not supported"));
        }
        match alone.first() {
            Some(&key) => self.alone(key, &map[key], map),
            None => {
                let of_types = self.types(map)?.into_iter().map(|name| self.of_type(name, map));
                let of_types: Vec<Rule> = of_types.collect::<Result<_, _>>()?;
                Ok(self.rules.alt(of_types))
            }
        }
    }

    fn alone(&mut self, key: &str, value: &Value, map: &Map<String, Value>) -> Compiled {
        match (key, value) {
            ("const", value) => self.values(slice::from_ref(value), map),
            ("enum", Value::Array(all)) => self.values(all, map),
            ("allOf", Value::Array(all)) if all.len() != 1 => {
                self.error("allOf with more than one schema in it is not supported")
            }
            ("anyOf" | "allOf", Value::Array(all)) => {
                let all = all.iter().enumerate();
                let all =
                    all.map(|(index, part)| self.within(&[key, &index.to_string()], part));
                let all: Vec<Rule> = all.collect::<Result<_, _>>()?;
                Ok(self.rules.alt(all))
            }
            ("$ref", value) => match value.as_str().and_then(|text| text.strip_prefix('#')) {
                Some(local) if self.schema.pointer(local).is_some() => {
                    Ok(self.reference(local))
                }
                _ => self.error(format!("$ref: there is no {value} in this schema")),
            },
            _ => self.error(format!("{key}: expected a list")),
        }
    }

    fn reference(&mut self, pointer: &str) -> Rule {
        if let Some(&rule) = self.references.get(pointer) {
            return rule;
        }
        let rule = self.rules.alt(Vec::new());
        self.references.insert(pointer.into(), rule);
        self.open.push_back((pointer.into(), rule));
        rule
    }

    fn values(&mut self, all: &[Value], map: &Map<String, Value>) -> Compiled {
        let types = self.types(map)?;
        let fits = |value: &&Value| types.iter().any(|name| is_of(value, name));
        let mut words: Vec<Vec<u8>> = all.iter().filter(fits).map(written).collect();
        words.sort_unstable();
        words.dedup();
        Ok(self.rules.add(Node::Words(words)))
    }

    fn types(&self, map: &Map<String, Value>) -> Result<Vec<&'static str>, SchemaError> {
        let names = match map.get("type") {
            None => return Ok(TYPES[..6].into()),
            Some(Value::Array(names)) => &names[..],
            Some(name) => slice::from_ref(name),
        };
        let known = |name: &Value| TYPES.into_iter().find(|known| name == known);
        match names.iter().map(known).collect() {
            Some(names) => Ok(names),
            None => self.error(format!("type: expected {}", TYPES.join(", "))),
        }
    }

    fn of_type(&mut self, name: &str, map: &Map<String, Value>) -> Compiled {
        match name {
            "object" => self.object(map),
            "array" => self.array(map),
            "string" => self.string(map),
            "boolean" => Ok(self.rules.add(Node::Words(vec!["false".into(), "true".into()]))),
            "null" => Ok(self.rules.literal("null")),
            _ => self.number(map, name == "integer"),
        }
    }

    /// Two numbers that aren't negative; without the second there's no limit.
    fn counts(
        &self,
        map: &Map<String, Value>,
        least: &str,
        most: &str,
    ) -> Result<(u32, u32), SchemaError> {
        let count = |key: &str, otherwise: u32| match map.get(key).map(Value::as_f64) {
            None => Ok(otherwise),
            Some(Some(count)) if count >= 0.0 && count.fract() == 0.0 => Ok(count as u32),
            _ => self.error(format!("{key}: expected a whole number, 0 or more")),
        };
        match (count(least, 0)?, count(most, MANY)?) {
            (from, to) if from > to => self.error(format!("{least} is more than {most}")),
            counts => Ok(counts),
        }
    }

    fn array(&mut self, map: &Map<String, Value>) -> Compiled {
        let (least, most) = self.counts(map, "minItems", "maxItems")?;
        let item = self.within(&["items"], map.get("items").unwrap_or(&Value::Bool(true)))?;
        Ok(self.joined("[", item, least, most, "]"))
    }

    /// So many, with commas between them.
    fn joined(&mut self, open: &str, item: Rule, least: u32, most: u32, close: &str) -> Rule {
        let less = |count: u32| if count == MANY { MANY } else { count.saturating_sub(1) };
        let [open, comma, close] = [open, ", ", close].map(|text| self.rules.literal(text));
        let next = self.rules.seq([comma, item]);
        let next = self.rules.repeat(next, less(least), less(most));
        let items = self.rules.seq([item, next]);
        let items = self.rules.repeat(items, least.min(1), most.min(1));
        self.rules.seq([open, items, close])
    }

    fn object(&mut self, map: &Map<String, Value>) -> Compiled {
        let (no_object, no_list) = (json!({}), json!([]));
        let listed = map.get("properties").unwrap_or(&no_object).as_object();
        let required = map.get("required").unwrap_or(&no_list).as_array();
        let required = required.and_then(|names| names.iter().map(Value::as_str).collect());
        let (Some(listed), Some(required)): (_, Option<BTreeSet<&str>>) = (listed, required)
        else {
            return self
                .error("properties or required: expected an object, or a list of names");
        };
        let other = map.get("additionalProperties").unwrap_or(&Value::Bool(true));
        let other = self.within(&["additionalProperties"], other)?;
        let mut members = Vec::new();
        for (name, schema) in listed {
            let value = self.within(&["properties", name], schema)?;
            members.push((&**name, value, required.contains(&**name)));
        }
        let rest = required.into_iter().filter(|name| !listed.contains_key(*name));
        members.extend(rest.map(|name| (name, other, true)));
        Ok(self.members(&members, other))
    }

    /// Members in this order, each with its name and whether it must be there. Where none is listed there may be any, with such
    /// a value; else who lists them wants no others.
    fn members(&mut self, members: &[(&str, Rule, bool)], other: Rule) -> Rule {
        if members.is_empty() {
            let name = self.rules.repeat(self.rules.character, 0, MANY);
            let (name, colon) = (self.rules.quoted(name), self.rules.literal(": "));
            let member = self.rules.seq([name, colon, other]);
            return self.joined("{", member, 0, MANY, "}");
        }
        // What may come at the beginning, and what after another member.
        let mut ways = [self.rules.seq(Vec::new()); 2];
        for &(name, value, is_required) in members.iter().rev() {
            let name = Value::from(name);
            let [_, next] = ways;
            let heads = [format!("{name}: "), format!(", {name}: ")];
            for (way, head) in ways.iter_mut().zip(heads) {
                let head = self.rules.literal(head);
                let with = self.rules.seq([head, value, next]);
                *way = if is_required { with } else { self.rules.alt([with, *way]) };
            }
        }
        let [open, close] = ["{", "}"].map(|text| self.rules.literal(text));
        self.rules.seq([open, ways[0], close])
    }

    fn string(&mut self, map: &Map<String, Value>) -> Compiled {
        let (least, most) = self.counts(map, "minLength", "maxLength")?;
        let said = ["pattern", "format", "minLength", "maxLength"];
        let said: Vec<&str> = said.into_iter().filter(|key| map.contains_key(*key)).collect();
        let text = match said[..] {
            [] | ["minLength" | "maxLength", ..] => {
                Ok(self.rules.repeat(self.rules.character, least, most))
            }
            [key, other, ..] => Err(format!("{other} beside {key} is not supported")),
            [key] => match (key, map[key].as_str()) {
                ("pattern", Some(text)) => {
                    self.rules.pattern(text).map_err(|why| format!("pattern: {why}"))
                }
                (_, Some("date")) => self.rules.pattern(&format!("^{DATE}$")),
                (_, Some("time")) => self.rules.pattern(&format!("^{TIME}$")),
                (_, Some("date-time")) => self.rules.pattern(&format!("^{DATE}T{TIME}$")),
                (_, Some("uuid")) => self.rules.pattern(&format!("^{UUID}$")),
                (_, Some("email")) => self.rules.pattern(&format!("^{EMAIL}$")),
                _ => Err(format!("{key} {} is not supported", map[key])),
            },
        };
        text.map(|text| self.rules.quoted(text)).or_else(|why| self.error(why))
    }

    fn number(&mut self, map: &Map<String, Value>, is_whole: bool) -> Compiled {
        const KEYS: [&str; 4] = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];
        let mut bounds = Vec::new();
        for key in KEYS.into_iter().filter(|key| map.contains_key(*key)) {
            match map[key].as_f64() {
                Some(bound) => bounds.push((key, bound)),
                None => return self.error(format!("{key}: expected a number")),
            }
        }
        if bounds.is_empty() && !is_whole {
            return Ok(self.rules.number);
        }
        // Large numbers have no decimals, and others six. All are counted in units of the last one.
        let is_large = bounds.iter().any(|(_, bound)| bound.abs() >= 1e8);
        let decimals = if is_whole || is_large { 0 } else { 6 };
        let (unit, end) = (10f64.powi(decimals), 10i64.pow(DIGITS as u32) - 1);
        let (mut from, mut to) = (-end, end);
        for (key, bound) in bounds {
            // The quotient is what a reader of the text compares with the bound.
            let fits = |units: &i64| match (*units as f64 / unit, key) {
                (number, "minimum") => number >= bound,
                (number, "exclusiveMinimum") => number > bound,
                (number, "maximum") => number <= bound,
                (number, _) => number < bound,
            };
            let near = (bound * unit).round() as i64;
            let mut near = near.clamp(-end, end) - 1..=near.clamp(-end, end) + 1;
            if key.ends_with("inimum") {
                from = from.max(near.find(fits).unwrap_or(i64::MAX));
            } else {
                to = to.min(near.rev().find(fits).unwrap_or(i64::MIN));
            }
        }
        if from > to {
            return self.error("no number is within these bounds");
        }
        let pattern = format!("^({})$", between(from, to, decimals as usize));
        self.rules.pattern(&pattern).or_else(|why| self.error(why))
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => value.as_f64().is_some_and(|number| number.fract() == 0.0),
    }
}

/// As a grammar writes it: a space after each comma and colon.
fn written(value: &Value) -> Vec<u8> {
    let mut json = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut json, PythonSpacing);
    value.serialize(&mut serializer).expect("a value has a text");
    json
}
