use ground::cli::check_length;
use ground::error::Error;
use ground::request::{Request, RequestError};
use ground::text::one_line;
use openai::{Conversation, Prompt, Refusal, ValidatedRequest};

use super::Server;
use crate::decoder::EngineRequest;

/// Holds a request against the model: what comes back can be computed.
pub fn validate(
    server: &Server,
    validated: &ValidatedRequest,
) -> Result<Vec<EngineRequest>, Refusal> {
    check_model(server, validated.model.as_deref())?;
    if validated.prompts.len() * validated.n > server.queue.limit {
        let message = format!("prompt: expected at most {} answers", server.queue.limit);
        return Err(Refusal::of("prompt", "invalid_value", message));
    }
    let vocab = server.session.model.config.vocab;
    if let Some((id, _)) = validated.bias.iter().find(|(id, _)| *id as usize >= vocab) {
        let message = format!("logit_bias: expected token ids below {vocab}, found {id}");
        return Err(Refusal::of("logit_bias", "invalid_value", message));
    }
    if validated.conversation.is_some() && !server.template.has_tools {
        let message = "tools: this model's chat template has none: give the server another with --chat-template";
        return Err(Refusal::of("tools", "unsupported_parameter", message));
    }
    let schema = validated.schema.as_ref().unwrap_or(&server.schema).as_ref();
    let (tokenizer, tools) = (&server.session.tokenizer, validated.tools.as_ref());
    let matcher = server.matchers.of(tokenizer, schema, tools, thinks(server, validated))?;
    let mut asked = Vec::new();
    for prompt in &validated.prompts {
        let refused = |error: Error| refused(validated.param(), &error);
        let request = request(server, validated, prompt).map_err(refused)?;
        // Each answer draws as a request of its own would, with the next seed.
        asked.extend((0..validated.n as u64).map(|answer| EngineRequest {
            request: request.reseeded(answer),
            bias: validated.bias.clone(),
            likely: validated.likely,
            replay: None,
            matcher: matcher.clone(),
        }));
    }
    Ok(asked)
}

/// Whether the model may think before it answers.
pub fn thinks(server: &Server, validated: &ValidatedRequest) -> bool {
    validated.chat && validated.think.unwrap_or(server.think)
}

pub fn check_model(server: &Server, name: Option<&str>) -> Result<(), Refusal> {
    let Some(name) = name else { return Ok(()) };
    if server.names.iter().any(|known| known == name || known == "*") {
        return Ok(());
    }
    let message =
        format!("there is no model {:?} here, but {}", one_line(name, 60), server.names[0]);
    Err(Refusal { status: 404, ..Refusal::of("model", "model_not_found", message) })
}

fn request(
    server: &Server,
    validated: &ValidatedRequest,
    prompt: &Prompt,
) -> Result<Request, Error> {
    let ids = match prompt {
        Prompt::Ids(ids) => ids.clone(),
        Prompt::Text(text) => encode(server, text)?,
        Prompt::Messages(messages) => {
            let thinks = thinks(server, validated);
            let rendered = match &validated.conversation {
                None => server.template.render(messages, thinks, true)?,
                Some(Conversation { messages, tools }) => {
                    server.template.render_tools(messages, tools, thinks, true)?
                }
            };
            check_length(&rendered.text(), server.positions, &server.session.tokenizer)?;
            server.template.encode(&rendered)?
        }
    };
    let (found, holds) = (ids.len(), server.positions);
    if found > holds {
        return Err(RequestError::TooLong { found, holds }.into());
    }
    let mut options = validated.options.clone();
    // The last new token is never fed back.
    options.max_new_tokens = options.max_new_tokens.min(holds - found + 1);
    Ok(Request::new(ids, options, &server.session.model.config)?)
}

pub fn encode(server: &Server, text: &str) -> Result<Vec<u32>, Error> {
    check_length(text, server.positions, &server.session.tokenizer)?;
    Ok(server.session.tokenizer.encode(text)?)
}

pub fn refused(param: &str, error: &Error) -> Refusal {
    let too_long = match error {
        Error::Request(error) => Refusal::too_long(param, error),
        _ => None,
    };
    too_long.unwrap_or_else(|| Refusal::of(param, "invalid_value", error.to_string()))
}
