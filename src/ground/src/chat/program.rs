//! A template to a program of which every step is small: what its operators, filters and methods
//! are about to do is counted before they do it.

use minijinja::Value;
use minijinja::machinery::{CodeGenerator, Instruction, Instructions, Token, parse, tokenize};
use minijinja::syntax::SyntaxConfig;

use super::ChatError;
use super::work::{
    ADD, AT, FILTER, KEEP, LOOP, METHOD, MULTIPLY, REFUSE, SETTLE, SLICE, WEIGH,
};

// The parser calls itself, and it computes what consists of constants. There is no check in front
// of that, so it gets nothing that could go deep or become large.
const MOST_BYTES: usize = 64 << 10; // the longest template we know has 17 KB
const MOST_WORDS: usize = 250; // in one tag: names, signs, numbers
const MOST_OPEN: usize = 25; // brackets in brackets; blocks in blocks, where an `elif` is one
const MOST_OPEN_BESIDE_JOIN: usize = 6; // a list in a text in a list ... doubles its backslashes
const LONGEST_NAME: usize = 100;

/// What errors call the template.
const NAME: &str = "template";

/// Parses a template and puts a check in front of every instruction that can be more than a step.
pub fn compile(source: &str) -> Result<Instructions<'_>, ChatError> {
    // As in `transformers`: a line that holds only a tag leaves nothing in the text.
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?;
    check(source, &syntax)?;
    let tree = parse(source, NAME, syntax)?;
    let mut generator = CodeGenerator::new(NAME, source);
    generator.compile_stmt(&tree);
    Ok(guarded(&generator.finish().0, source))
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
            Token::Mul => tag.multiplies = true,
            Token::Tilde => tag.joins = true,
            Token::Str(_) | Token::String(_) | Token::Comma => tag.large = true,
            Token::ParenOpen => tag.brackets += 1,
            Token::BracketOpen | Token::BraceOpen => {
                tag.brackets += 1;
                tag.large = true;
            }
            Token::ParenClose | Token::BracketClose | Token::BraceClose => {
                tag.brackets = tag.brackets.saturating_sub(1);
            }
            _ => (),
        }
        tag.deepest = tag.deepest.max(tag.brackets);
        let open = blocks.iter().sum();
        if tag.words > MOST_WORDS {
            return too("words in a tag", tag.words, MOST_WORDS);
        }
        if tag.deepest > MOST_OPEN {
            return too("brackets in each other", tag.deepest, MOST_OPEN);
        }
        if tag.joins && tag.deepest > MOST_OPEN_BESIDE_JOIN {
            return too(
                "brackets in each other beside a ~",
                tag.deepest,
                MOST_OPEN_BESIDE_JOIN,
            );
        }
        if open > MOST_OPEN {
            return too("blocks in each other", open, MOST_OPEN);
        }
        if tag.multiplies && tag.large {
            let problem =
                "has a * and a text or a list in one tag: put them into two".to_owned();
            return Err(ChatError::Shape { problem });
        }
    }
    Ok(())
}

/// What was seen so far of a `{{ ... }}` or `{% ... %}`.
#[derive(Default)]
struct Tag<'a> {
    words: usize,
    brackets: usize, // open now
    deepest: usize,
    keyword: Option<&'a str>, // the first word
    assigns: bool,
    multiplies: bool,
    joins: bool,
    large: bool, // has what `*` can make as large as it likes
}

/// The same program with the checks in it. Each makes it longer, so jumps get new targets.
fn guarded<'a>(plain: &Instructions<'a>, source: &'a str) -> Instructions<'a> {
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
