//! Numbers that were measured: committed JSON in `book/measurements`, and the arithmetic that prose does with them.

use serde_json::Value;

use crate::fault::read;
use crate::house::House;

/// `file.json#/pointer`
fn value(house: &House, reference: &str) -> Result<Value, String> {
    let (file, pointer) = reference
        .split_once('#')
        .ok_or_else(|| format!("'{reference}' is not file.json#/pointer"))?;
    let path = house.root.join("book/measurements").join(file);
    let text = read(&path).map_err(|_| format!("there is no book/measurements/{file}"))?;
    let json: Value =
        serde_json::from_str(&text).map_err(|e| format!("book/measurements/{file}: {e}"))?;
    json.pointer(pointer)
        .cloned()
        .ok_or_else(|| format!("book/measurements/{file} has nothing at {pointer}"))
}

/// A recorded output: a string, or an array of lines.
pub fn text(house: &House, reference: &str) -> Result<String, String> {
    match value(house, reference)? {
        Value::String(text) => Ok(text),
        Value::Array(lines) => {
            Ok(lines.iter().filter_map(Value::as_str).map(|line| format!("{line}\n")).collect())
        }
        other => Err(format!("{reference} is no text: {other}")),
    }
}

/// `a.json#/x`, or such terms and numbers joined by `+ - * /`, from left to right: `a.json#/on / a.json#/off`.
pub fn number(house: &House, expression: &str) -> Result<f64, String> {
    let words: Vec<&str> = expression.split_whitespace().collect();
    let mut result = term(house, words.first().ok_or("nothing to compare with")?)?;
    for pair in words[1..].chunks(2) {
        let [operator, operand] = pair else {
            return Err(format!("'{expression}' ends too early"));
        };
        let operand = term(house, operand)?;
        match *operator {
            "+" => result += operand,
            "-" => result -= operand,
            "*" => result *= operand,
            "/" => result /= operand,
            other => return Err(format!("'{other}' is not one of + - * /")),
        }
    }
    Ok(result)
}

fn term(house: &House, word: &str) -> Result<f64, String> {
    if let Ok(number) = word.parse() {
        return Ok(number);
    }
    let found = value(house, word)?;
    found.as_f64().ok_or_else(|| format!("{word} is no number: {found}"))
}
