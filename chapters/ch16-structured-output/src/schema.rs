use std::collections::{HashMap, HashSet, VecDeque};
use std::slice;

use serde_json::{Map, Value, json};

use crate::grammar::{Grammar, MANY, RULES, Rule, Rules, SchemaError};
use crate::numbers::{DIGITS, between};
use crate::pattern::pattern;

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

/// Schemas may be in each other so many times.
const DEPTH: usize = 100;

impl Grammar {
    /// Of the answers that are valid by a JSON schema.
    pub fn from_schema(schema: &Value) -> Result<Grammar, SchemaError> {
        let (rules, root) = rules_of(schema)?;
        rules.grammar(root)
    }

    /// Of any object, with any JSON in it.
    pub fn any_json() -> Grammar {
        Grammar::from_schema(&json!({ "type": "object" })).expect("it's a schema")
    }
}

/// The rules of a schema, and the one of a whole answer.
pub fn rules_of(schema: &Value) -> Result<(Rules, Rule), SchemaError> {
    let mut compiler = Compiler {
        schema,
        rules: Rules::begin(),
        path: Vec::new(),
        depth: 0,
        any: None,
        references: HashMap::new(),
        open: VecDeque::new(),
        ranges: HashMap::new(),
    };
    let root = compiler.schema(schema)?;
    // What a reference points at has its rule later: it may be something that the reference is in.
    while let Some((pointer, rule)) = compiler.open.pop_front() {
        compiler.path = pointer.split('/').skip(1).map(String::from).collect();
        let target = schema.pointer(pointer).expect("it was looked up");
        let target = compiler.schema(target)?;
        compiler.rules.set_alt(rule, target);
    }
    Ok((compiler.rules, root))
}

struct Compiler<'a> {
    schema: &'a Value,
    rules: Rules,
    path: Vec<String>,
    depth: usize,
    any: Option<Rule>,
    references: HashMap<&'a str, Rule>,
    open: VecDeque<(&'a str, Rule)>,
    ranges: HashMap<(i64, i64, usize), Rule>,
}

type Compiled = Result<Rule, SchemaError>;

impl<'a> Compiler<'a> {
    fn error<T>(&self, why: impl Into<String>) -> Result<T, SchemaError> {
        let path = self.path.iter().map(|part| format!("/{part}")).collect();
        Err(SchemaError { path, why: why.into() })
    }

    /// The rule of a schema within the one that's being read.
    fn within(&mut self, parts: &[&str], schema: &'a Value) -> Compiled {
        let before = self.path.len();
        self.path.extend(parts.iter().map(|part| part.replace('~', "~0").replace('/', "~1")));
        let rule = self.schema(schema)?;
        self.path.truncate(before);
        Ok(rule)
    }

    fn schema(&mut self, schema: &'a Value) -> Compiled {
        let map = match schema {
            Value::Bool(true) => return Ok(self.any()),
            Value::Bool(false) => return Ok(self.rules.never()),
            Value::Object(map) => map,
            _ => return self.error("expected a schema: an object, true or false"),
        };
        if self.depth == DEPTH || self.rules.nodes.len() > RULES {
            let why =
                format!("more than {DEPTH} schemas in each other, or {RULES} rules in all");
            return self.error(why);
        }
        let is_in = |list: &str, key: &str| list.split(' ').any(|known| known == key);
        let said = map.keys().map(String::as_str).filter(|key| !is_in(NOTES, key));
        let said: Vec<&str> = said.collect();
        let is_known = |key: &&&str| is_in(OF_TYPES, key) || is_in(ALONE, key);
        if let Some(key) = said.iter().find(|key| !is_known(key)) {
            return self.error(format!("{key} is not supported"));
        }
        self.depth += 1;
        let rule = match said.iter().find(|key| is_in(ALONE, key)) {
            Some(&key) => {
                let with_type = key == "enum" || key == "const";
                let fits = |other: &&&str| **other == key || with_type && **other == "type";
                if let Some(other) = said.iter().find(|other| !fits(other)) {
                    return self.error(format!("{other} beside {key} is not supported"));
                }
                self.alone(key, &map[key], map)?
            }
            None => {
                let of_types = self.types(map)?.into_iter().map(|name| self.of_type(name, map));
                let of_types: Vec<Rule> = of_types.collect::<Result<_, _>>()?;
                self.rules.alt(of_types)
            }
        };
        self.depth -= 1;
        Ok(rule)
    }

    fn alone(&mut self, key: &str, value: &'a Value, map: &Map<String, Value>) -> Compiled {
        match (key, value) {
            ("$ref", Value::String(pointer)) => self.reference(pointer),
            ("const", value) => self.values(slice::from_ref(value), map),
            ("enum", Value::Array(all)) => self.values(all, map),
            ("allOf", Value::Array(all)) if all.len() > 1 => {
                self.error("allOf with more than one schema in it is not supported")
            }
            ("anyOf" | "allOf", Value::Array(all)) => {
                let all = all.iter().enumerate();
                let all =
                    all.map(|(index, part)| self.within(&[key, &index.to_string()], part));
                let all: Vec<Rule> = all.collect::<Result<_, _>>()?;
                Ok(self.rules.alt(all))
            }
            _ => self.error(format!(
                "{key}: expected {}",
                if key == "$ref" { "a text" } else { "a list" }
            )),
        }
    }

    fn reference(&mut self, pointer: &'a str) -> Compiled {
        let local =
            pointer.strip_prefix('#').filter(|local| self.schema.pointer(local).is_some());
        let Some(local) = local else {
            return self.error(format!("$ref: there is no {pointer} in this schema"));
        };
        if let Some(&rule) = self.references.get(local) {
            return Ok(rule);
        }
        let rule = self.rules.never();
        self.references.insert(local, rule);
        self.open.push_back((local, rule));
        Ok(rule)
    }

    fn values(&mut self, all: &[Value], map: &Map<String, Value>) -> Compiled {
        let types = self.types(map)?;
        let fits = |value: &&Value| types_of(value).iter().any(|name| types.contains(name));
        let mut all: Vec<String> = all.iter().filter(fits).map(written).collect();
        all.sort_unstable();
        all.dedup();
        let all: Vec<&[u8]> = all.iter().map(|text| text.as_bytes()).collect();
        Ok(self.rules.one_of(&all))
    }

    fn types(&self, map: &Map<String, Value>) -> Result<Vec<&'static str>, SchemaError> {
        let names = match map.get("type") {
            None => return Ok(TYPES[..6].into()),
            Some(Value::Array(names)) => &names[..],
            Some(name) => slice::from_ref(name),
        };
        let known = |name: &Value| TYPES.into_iter().find(|known| name == known);
        match names.iter().map(known).collect::<Option<_>>() {
            Some(names) => Ok(names),
            None => self.error(format!("type: expected {}", TYPES.join(", "))),
        }
    }

    fn of_type(&mut self, name: &str, map: &'a Map<String, Value>) -> Compiled {
        match name {
            "object" => self.object(map),
            "array" => self.array(map),
            "string" => self.string(map),
            "boolean" => Ok(self.rules.one_of(&[&b"false"[..], b"true"])),
            "null" => Ok(self.rules.literal("null")),
            _ => self.number(map, name == "integer"),
        }
    }

    /// Any JSON, in which there is any JSON.
    fn any(&mut self) -> Rule {
        if let Some(any) = self.any {
            return any;
        }
        let any = self.rules.never();
        self.any = Some(any);
        let (list, object) = (self.list(any, 0, MANY), self.members(&[], any));
        let (text, number) = (self.rules.string(0, MANY), self.rules.number);
        let word = self.rules.one_of(&[&b"false"[..], b"null", b"true"]);
        let all = self.rules.alt([object, list, text, number, word]);
        self.rules.set_alt(any, all);
        any
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

    fn array(&mut self, map: &'a Map<String, Value>) -> Compiled {
        let (least, most) = self.counts(map, "minItems", "maxItems")?;
        let item = match map.get("items") {
            Some(items) => self.within(&["items"], items)?,
            None => self.any(),
        };
        Ok(self.list(item, least, most))
    }

    fn list(&mut self, item: Rule, least: u32, most: u32) -> Rule {
        let (open, close) = (self.rules.literal("["), self.rules.literal("]"));
        let items = self.joined(item, least, most);
        self.rules.seq([open, items, close])
    }

    /// So many, with commas between them.
    fn joined(&mut self, item: Rule, least: u32, most: u32) -> Rule {
        let less = |count: u32| if count == MANY { MANY } else { count.saturating_sub(1) };
        let comma = self.rules.literal(", ");
        let next = self.rules.seq([comma, item]);
        let next = self.rules.repeat(next, less(least), less(most));
        let items = self.rules.seq([item, next]);
        self.rules.repeat(items, least.min(1), most.min(1))
    }

    fn object(&mut self, map: &'a Map<String, Value>) -> Compiled {
        let listed: Vec<(&String, &Value)> = match map.get("properties") {
            None => Vec::new(),
            Some(Value::Object(listed)) => listed.iter().collect(),
            Some(_) => return self.error("properties: expected an object"),
        };
        let mut required = HashSet::new();
        match map.get("required") {
            None => {}
            Some(Value::Array(names)) if names.iter().all(Value::is_string) => {
                required.extend(names.iter().filter_map(Value::as_str));
            }
            Some(_) => return self.error("required: expected a list of names"),
        }
        let other = match map.get("additionalProperties") {
            Some(schema) => self.within(&["additionalProperties"], schema)?,
            None => self.any(),
        };
        let mut members = Vec::new();
        for (name, schema) in listed {
            let value = self.within(&["properties", name], schema)?;
            members.push((&**name, value, required.remove(&**name)));
        }
        let mut rest: Vec<&str> = required.into_iter().collect();
        rest.sort_unstable();
        if let (Some(Value::Bool(false)), Some(name)) =
            (map.get("additionalProperties"), rest.first())
        {
            return self.error(format!("required: {name} is not among the properties"));
        }
        members.extend(rest.into_iter().map(|name| (name, other, true)));
        Ok(self.members(&members, other))
    }

    /// Members in this order, each with its name and whether it must be there. Where none is listed there may be any, with such
    /// a value; else who lists them wants no others.
    fn members(&mut self, members: &[(&str, Rule, bool)], other: Rule) -> Rule {
        let (open, close) = (self.rules.literal("{"), self.rules.literal("}"));
        if members.is_empty() {
            let (name, colon) = (self.rules.string(0, MANY), self.rules.literal(": "));
            let member = self.rules.seq([name, colon, other]);
            let members = self.joined(member, 0, MANY);
            return self.rules.seq([open, members, close]);
        }
        // What may come at the beginning, and what after another member.
        let (mut first, mut next) = (self.rules.nothing(), self.rules.nothing());
        for &(name, value, is_required) in members.iter().rev() {
            let name = quoted(name);
            let heads = [format!("{name}: "), format!(", {name}: ")];
            let [is_first, is_next] = heads.map(|head| {
                let head = self.rules.literal(head);
                self.rules.seq([head, value, next])
            });
            first = if is_required { is_first } else { self.rules.alt([is_first, first]) };
            next = if is_required { is_next } else { self.rules.alt([is_next, next]) };
        }
        self.rules.seq([open, first, close])
    }

    fn string(&mut self, map: &'a Map<String, Value>) -> Compiled {
        let (least, most) = self.counts(map, "minLength", "maxLength")?;
        let said = ["pattern", "format", "minLength", "maxLength"];
        let said: Vec<&str> = said.into_iter().filter(|key| map.contains_key(*key)).collect();
        let text = match (&said[..], said.first().and_then(|key| map[*key].as_str())) {
            ([] | ["minLength" | "maxLength", ..], _) => {
                return Ok(self.rules.string(least, most));
            }
            ([key, other, ..], _) => {
                return self.error(format!("{other} beside {key} is not supported"));
            }
            (["pattern"], Some(text)) => text.to_owned(),
            (_, Some("date")) => format!("^{DATE}$"),
            (_, Some("time")) => format!("^{TIME}$"),
            (_, Some("date-time")) => format!("^{DATE}T{TIME}$"),
            (_, Some("uuid")) => format!("^{UUID}$"),
            (_, Some("email")) => format!("^{EMAIL}$"),
            ([key], text) => {
                let found = text.map_or(map[*key].to_string(), String::from);
                return self.error(format!("{key} {found} is not supported"));
            }
        };
        match pattern(&mut self.rules, &text) {
            Ok(text) => {
                let quote = self.rules.literal("\"");
                Ok(self.rules.seq([quote, text, quote]))
            }
            Err(why) => self.error(format!("pattern: {why} is not supported")),
        }
    }

    fn number(&mut self, map: &Map<String, Value>, is_whole: bool) -> Compiled {
        const KEYS: [&str; 4] = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];
        let given = KEYS.into_iter().filter(|key| map.contains_key(*key));
        let mut bounds = Vec::new();
        for key in given {
            match decimal(&map[key]) {
                Some((digits, decimals)) => bounds.push((key, digits, decimals)),
                None => {
                    return self
                        .error(format!("{key}: expected a number of at most {DIGITS} digits"));
                }
            }
        }
        if bounds.is_empty() && !is_whole {
            return Ok(self.rules.number);
        }
        // All in units of the last decimal. One that is free has six, or as many as there is room for.
        let most =
            |of: fn(&(&str, i64, usize)) -> usize| bounds.iter().map(of).max().unwrap_or(0);
        let before = most(|(_, digits, decimals)| {
            digits.abs().to_string().len().saturating_sub(*decimals)
        });
        let mut decimals = most(|(_, _, decimals)| *decimals);
        if !is_whole {
            decimals = decimals.max(DIGITS.saturating_sub(before).min(6));
        }
        let end = 10i64.pow(DIGITS as u32) - 1;
        let (mut from, mut to) = (-end, end);
        for (key, digits, places) in bounds {
            let units = i128::from(digits) * 10i128.pow((decimals - places) as u32);
            let units = units.clamp(-i128::from(end) - 1, i128::from(end) + 1) as i64;
            match key {
                "minimum" => from = from.max(units),
                "exclusiveMinimum" => from = from.max(units + 1),
                "maximum" => to = to.min(units),
                _ => to = to.min(units - 1),
            }
        }
        if is_whole {
            let unit = 10i64.pow(decimals as u32);
            (from, to) = (
                from.div_euclid(unit) + i64::from(from.rem_euclid(unit) > 0),
                to.div_euclid(unit),
            );
            decimals = 0;
        }
        if from > to {
            return self.error("no number is within these bounds");
        }
        let rules = &mut self.rules;
        let range = self.ranges.entry((from, to, decimals));
        Ok(*range.or_insert_with(|| between(rules, from, to, decimals)))
    }
}

/// A number's digits, and how many of them are decimals. One that is too large is as large as can be.
fn decimal(value: &Value) -> Option<(i64, usize)> {
    let number = value.as_f64()?;
    if number.abs() >= 10f64.powi(DIGITS as i32) {
        return Some((number.signum() as i64 * 10i64.pow(DIGITS as u32), 0));
    }
    let text = number.to_string();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let digits = format!("{whole}{part}");
    let is_short =
        digits.trim_start_matches(['-', '0']).len() <= DIGITS && part.len() <= DIGITS;
    Some((digits.parse().ok().filter(|_| is_short)?, part.len()))
}

fn types_of(value: &Value) -> &'static [&'static str] {
    match value {
        Value::Object(_) => &["object"],
        Value::Array(_) => &["array"],
        Value::String(_) => &["string"],
        Value::Number(number)
            if number.as_f64().is_some_and(|number| number.fract() == 0.0) =>
        {
            &["number", "integer"]
        }
        Value::Number(_) => &["number"],
        Value::Bool(_) => &["boolean"],
        Value::Null => &["null"],
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// As a grammar writes it: a space after each comma and colon.
fn written(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Array(items) => format!("[{}]", joined(items.iter().map(written).collect())),
        Value::Object(map) => {
            let member = |(name, value): (&String, &Value)| {
                format!("{}: {}", quoted(name), written(value))
            };
            format!("{{{}}}", joined(map.iter().map(member).collect()))
        }
        other => other.to_string(),
    }
}
