//! A template to a program of which every step is small: what its operators, filters and methods
//! are about to do is counted before they do it.

use minijinja::machinery::ast::{BinOpKind, Call, CallArg, Expr, Stmt};
use minijinja::machinery::{CodeGenerator, Instruction, Instructions, Token, parse, tokenize};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::ValueKind;
use minijinja::{Error, Value};

use super::ChatError;
use super::work::{
    ADD, AT, FILTER, KEEP, LOOP, METHOD, MULTIPLY, REFUSE, SETTLE, SLICE, WEIGH, Work,
};

// The parser calls itself, so it gets nothing that could go deep.
const MOST_BYTES: usize = 64 << 10; // the longest template we know has 17 KB
const MOST_WORDS: usize = 250; // in one tag: names, signs, numbers
const MOST_OPEN: usize = 25; // brackets in brackets; blocks in blocks, where an `elif` is one
const LONGEST_NAME: usize = 100;

/// What errors call the template.
const NAME: &str = "template";

/// Parses a template and puts a check in front of every instruction that can be more than a step. `marked` gets each text
/// that the template writes by itself, and may write it another way.
pub fn compile<'a>(
    source: &'a str,
    work: &Work,
    marked: &dyn Fn(&str) -> String,
) -> Result<Instructions<'a>, ChatError> {
    // As in `transformers`: a line that holds only a tag leaves nothing in the text.
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?;
    check(source, &syntax)?;
    let tree = parse(source, NAME, syntax)?;
    pay_in(&tree, work).map_err(|error| work.error(error))?;
    let mut generator = CodeGenerator::new(NAME, source);
    generator.compile_stmt(&tree);
    Ok(guarded(&generator.finish().0, source, marked))
}

/// Refuses what is too long or too deep to be parsed.
fn check(source: &str, syntax: &SyntaxConfig) -> Result<(), ChatError> {
    let too = |what: &str, found: usize, most: usize| {
        let problem = format!("has {found} {what}, expected at most {most}");
        Err(ChatError::Shape { problem })
    };
    if source.len() > MOST_BYTES {
        return too("bytes", source.len(), MOST_BYTES);
    }
    let mut tag = Tag::default();
    let mut blocks: Vec<usize> = Vec::new(); // a number for each open block: itself, its `elif`s
    for token in tokenize(source, false, syntax.clone()) {
        // The parser stops at the same place, and can say where it is.
        let Ok((token, _)) = token else { return Ok(()) };
        tag.words += 1;
        match token {
            Token::TemplateData(_) | Token::VariableStart | Token::BlockStart => {
                tag = Tag::default();
            }
            Token::BlockEnd => match tag.keyword {
                Some("if" | "for" | "with" | "filter") => blocks.push(1),
                Some("set") if !tag.assigns => blocks.push(1),
                Some("elif") => blocks.last_mut().map_or((), |elifs| *elifs += 1),
                Some(end) if end.starts_with("end") => drop(blocks.pop()),
                _ => (),
            },
            Token::Ident(name) if name.len() > LONGEST_NAME => {
                return too("letters in a name", name.len(), LONGEST_NAME);
            }
            Token::Ident(name) => drop(tag.keyword.get_or_insert(name)),
            Token::Assign => tag.assigns |= tag.brackets == 0,
            Token::ParenOpen | Token::BracketOpen | Token::BraceOpen => tag.brackets += 1,
            Token::ParenClose | Token::BracketClose | Token::BraceClose => {
                tag.brackets = tag.brackets.saturating_sub(1);
            }
            _ => (),
        }
        let open = blocks.iter().sum();
        if tag.words > MOST_WORDS {
            return too("words in a tag", tag.words, MOST_WORDS);
        }
        if tag.brackets > MOST_OPEN {
            return too("brackets in each other", tag.brackets, MOST_OPEN);
        }
        if open > MOST_OPEN {
            return too("blocks in each other", open, MOST_OPEN);
        }
    }
    Ok(())
}

/// What was seen so far of a `{{ ... }}` or `{% ... %}`.
#[derive(Default)]
struct Tag<'a> {
    words: usize,
    brackets: usize,          // open now
    keyword: Option<&'a str>, // the first word
    assigns: bool,
}

/// The generator computes what consists of constants, before a template runs and also where it never does. This pays for
/// all of that.
fn pay_in(statement: &Stmt, work: &Work) -> Result<(), Error> {
    let (expressions, bodies): (Vec<&Expr>, Vec<&[Stmt]>) = match statement {
        Stmt::Template(all) => (vec![], vec![&all.children]),
        Stmt::EmitExpr(emit) => (vec![&emit.expr], vec![]),
        Stmt::EmitRaw(_) => (vec![], vec![]),
        Stmt::ForLoop(each) => {
            let head = [&each.target, &each.iter].into_iter().chain(&each.filter_expr);
            (head.collect(), vec![&each.body, &each.else_body])
        }
        Stmt::IfCond(choice) => {
            (vec![&choice.expr], vec![&choice.true_body, &choice.false_body])
        }
        Stmt::WithBlock(with) => {
            (with.assignments.iter().flat_map(|(a, b)| [a, b]).collect(), vec![&with.body])
        }
        Stmt::Set(set) => (vec![&set.target, &set.expr], vec![]),
        Stmt::SetBlock(set) => {
            ([&set.target].into_iter().chain(&set.filter).collect(), vec![&set.body])
        }
        Stmt::AutoEscape(block) => (vec![&block.enabled], vec![&block.body]),
        Stmt::FilterBlock(block) => (vec![&block.filter], vec![&block.body]),
        Stmt::Do(call) => (of_call(&call.call), vec![]),
    };
    expressions.into_iter().try_for_each(|expression| pay(expression, 1, work))?;
    bodies.into_iter().flatten().try_for_each(|statement| pay_in(statement, work))
}

/// Pays for an expression that is in so many others, itself included: each of them computes it anew, here and when the
/// instructions are made.
fn pay(expression: &Expr, depth: usize, work: &Work) -> Result<(), Error> {
    // What is inside comes first: `as_const` would compute it.
    let operands = operands(expression);
    operands.iter().try_for_each(|operand| pay(operand, depth + 1, work))?;
    let (Expr::BinOp(_) | Expr::Compare(_)) = expression else { return Ok(()) };
    let constants: Vec<Value> =
        operands.iter().filter_map(|operand| operand.as_const()).collect();
    let multiplies =
        matches!(expression, Expr::BinOp(both) if matches!(both.op, BinOpKind::Mul));
    work.times(2 * depth, || {
        constants.iter().try_for_each(|value| work.weigh(value))?;
        if multiplies { work.multiply(&constants) } else { Ok(()) }
    })
}

fn operands<'e, 'a>(expression: &'e Expr<'a>) -> Vec<&'e Expr<'a>> {
    match expression {
        Expr::Var(_) | Expr::Const(_) => vec![],
        Expr::Slice(slice) => {
            let ends = slice.start.iter().chain(&slice.stop).chain(&slice.step);
            [&slice.expr].into_iter().chain(ends).collect()
        }
        Expr::UnaryOp(one) => vec![&one.expr],
        Expr::BinOp(both) => vec![&both.left, &both.right],
        Expr::Compare(all) => {
            [&all.expr].into_iter().chain(all.ops.iter().map(|op| &op.expr)).collect()
        }
        Expr::IfExpr(choice) => {
            let both = [&choice.test_expr, &choice.true_expr];
            both.into_iter().chain(&choice.false_expr).collect()
        }
        Expr::Filter(filter) => filter.expr.iter().chain(values(&filter.args)).collect(),
        Expr::Test(test) => [&test.expr].into_iter().chain(values(&test.args)).collect(),
        Expr::GetAttr(get) => vec![&get.expr],
        Expr::GetItem(get) => vec![&get.expr, &get.subscript_expr],
        Expr::Call(call) => of_call(call),
        Expr::List(list) => list.items.iter().collect(),
        Expr::Tuple(tuple) => tuple.items.iter().collect(),
        Expr::Map(map) => map.keys.iter().chain(&map.values).collect(),
    }
}

fn of_call<'e, 'a>(call: &'e Call<'a>) -> Vec<&'e Expr<'a>> {
    [&call.expr].into_iter().chain(values(&call.args)).collect()
}

fn values<'e, 'a>(arguments: &'e [CallArg<'a>]) -> impl Iterator<Item = &'e Expr<'a>> {
    arguments.iter().map(|argument| match argument {
        CallArg::Pos(value)
        | CallArg::Kwarg(_, value)
        | CallArg::PosSplat(value)
        | CallArg::KwargSplat(value) => value,
    })
}

/// The same program with the checks in it. Each makes it longer, so jumps get new targets.
fn guarded<'a>(
    plain: &Instructions<'a>,
    source: &'a str,
    marked: &dyn Fn(&str) -> String,
) -> Instructions<'a> {
    let mut new_place = vec![0]; // of each old instruction, and of the end
    let mut expanded = Vec::new();
    while let Some(instruction) = plain.get(expanded.len() as u32) {
        let with_checks = with_checks(instruction);
        new_place.push(new_place[expanded.len()] + with_checks.len() as u32);
        expanded.push(with_checks);
    }
    let mut program = Instructions::new(NAME, source);
    for (old_place, instructions) in expanded.into_iter().enumerate() {
        let line = plain.get_line(old_place as u32).unwrap_or(0) as u16;
        for mut instruction in instructions {
            if let Instruction::LoadConst(value) = &mut instruction {
                *value = in_value(value, marked);
            }
            if let Instruction::Jump(target)
            | Instruction::JumpIfFalse(target)
            | Instruction::JumpIfFalseOrPop(target)
            | Instruction::JumpIfTrueOrPop(target)
            | Instruction::Iterate(target) = &mut instruction
            {
                *target = new_place[*target as usize];
            }
            program.add_with_line(instruction, line);
        }
    }
    program
}

/// A constant, with its texts marked. The generator puts no list into a list.
fn in_value(value: &Value, marked: &dyn Fn(&str) -> String) -> Value {
    let text = |value: &Value| value.as_str().map_or(value.clone(), |text| marked(text).into());
    match (value.kind(), value.try_iter()) {
        (ValueKind::Seq | ValueKind::Iterable, Ok(items)) if !value.is_tuple() => {
            items.map(|item| text(&item)).collect()
        }
        (ValueKind::Map, Ok(keys)) if !value.is_kwargs() => {
            let entry =
                |key: Value| (key.clone(), text(&value.get_item(&key).unwrap_or_default()));
            Value::from_pairs(keys.map(entry))
        }
        _ => text(value),
    }
}

/// One instruction with what must come before and after it.
fn with_checks<'a>(instruction: &Instruction<'a>) -> Vec<Instruction<'a>> {
    use Instruction::*;
    let call = |name, count: usize| CallFunction(name, Some(count as u16));
    // A check takes the operands from the stack and gives them back.
    let checked = |name, count| vec![call(name, count), UnpackList(count), instruction.clone()];
    // Some results are lists that would only be computed when they are read.
    let settled = |name, count| [checked(name, count), vec![call(SETTLE, 1)]].concat();
    let named = |check, name: &'a str, count: u16| {
        let count = usize::from(count);
        let name = LoadConst(Value::from(name));
        vec![
            name,
            call(check, count + 1),
            UnpackList(count),
            instruction.clone(),
            call(SETTLE, 1),
        ]
    };
    match *instruction {
        EmitRaw(text) => vec![LoadConst(Value::from(text)), Emit],
        SetAttr(_) => checked(KEEP, 2),
        GetItem => checked(AT, 2),
        Slice => settled(SLICE, 4),
        Add => settled(ADD, 2),
        Mul => settled(MULTIPLY, 2),
        Eq | Ne | Gt | Gte | Lt | Lte | In | StringConcat => checked(WEIGH, 2),
        CompareAndPreserve(_) => checked(WEIGH, 2),
        BuildList(Some(count)) | BuildTuple(Some(count)) => checked(WEIGH, count),
        BuildMap(count) => checked(WEIGH, 2 * count),
        PushLoop(0 | 1) => checked(LOOP, 1), // from 2 on: a loop that calls itself
        CallMethod(name, Some(count)) => named(METHOD, name, count),
        ApplyFilter(name, Some(count), _) => named(FILTER, name, count),
        PerformTest("iterable", Some(1), _) => checked(LOOP, 1), // counts the letters of a text
        // These take a step each, whatever their operands are; the last few check for themselves.
        StoreLocal(_)
        | Lookup(_)
        | GetAttr(_)
        | LoadConst(_)
        | BuildKwargs(_)
        | DupTop
        | DiscardTop
        | Swap
        | Sub
        | Div
        | IntDiv
        | Rem
        | Pow
        | Neg
        | Not
        | PushWith
        | PopFrame
        | PopLoopFrame
        | Iterate(_)
        | PushDidNotIterate
        | Jump(_)
        | JumpIfFalse(_)
        | JumpIfFalseOrPop(_)
        | JumpIfTrueOrPop(_)
        | BeginCapture(_)
        | EndCapture
        | PerformTest(_, Some(_), _)
        | UnpackList(_)
        | BuildList(None)
        | Emit
        | CallFunction(_, Some(_)) => vec![instruction.clone()],
        // It fails only when it is reached: the rest of the template may be all that is needed.
        _ => vec![LoadConst(Value::from(unsupported(instruction))), call(REFUSE, 1)],
    }
}

fn unsupported(instruction: &Instruction) -> &'static str {
    match instruction {
        Instruction::PushAutoEscape | Instruction::PopAutoEscape => "autoescape",
        Instruction::PushLoop(_) | Instruction::FastRecurse => "a loop that calls itself",
        Instruction::CallObject(_) => "a call of something that has no name",
        _ => "arguments with * or **",
    }
}
