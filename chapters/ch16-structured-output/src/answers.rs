use ground::error::Error;
use ground::machine::read_bandwidth_of;
use ground::request::FinishReason;

use crate::block_table::BlockTable;
use crate::paged::Paged;
use crate::session::Session;
use ch08_f16_cache::Args;
use ch08_f16_cache::context::Context;
use ch08_f16_cache::kernels::BLOCK_SIZE;
use ch08_f16_cache::progress_line::ProgressLine;
use ch08_f16_cache::recorder::system_clock;
use ch08_f16_cache::{profile, stop};

/// Answers the PROMPT, as often as asked. The prompt's rows are computed once.
pub fn answers(mut args: Args, paged: &Paged, flags: Vec<String>) -> Result<(), Error> {
    args.common.system.clone_from(&args.system);
    let how = args.how()?;
    args.report.begin();
    let compute = args.compute()?;
    let (threads, clock) = (compute.threads(), system_clock());
    let file = args.common.open_model()?;
    let session = Session::open(&file, clock, compute, args.kv_type)?;
    stop::listen();
    let config = &session.model.config;
    let request = args.common.request(&file, config, &session.tokenizer)?;
    // The last token is never fed back.
    let (prompt, new) = (request.prompt_ids().len(), request.max_new_tokens());
    let positions = prompt + new.saturating_sub(1);
    let pool = paged.pool(config, args.kv_type, positions)?;
    if positions > pool.blocks * BLOCK_SIZE {
        let (needs, has) = (positions.div_ceil(BLOCK_SIZE), pool.blocks);
        return Err(Error::chapter(format!(
            "{prompt} tokens and {new} more need {needs} blocks of {BLOCK_SIZE} positions, but --kv-room has {has}"
        )));
    }
    let mut context = Context::new(Some(Box::new(BlockTable::new(&pool))), &how, positions);
    for _ in 0..paged.answers.get() {
        let request = args.common.request(&file, config, &session.tokenizer)?;
        let mut progress = ProgressLine::start();
        let mut watch = |far| {
            progress.show(far);
            !stop::asked()
        };
        let output = args.common.begin()?;
        if args.report.profile {
            profile::start();
        }
        let run = session
            .generate(&request, &how, &mut context, &mut watch, |text| output.print(text));
        let (generation, mut report) = run?;
        if generation.finish_reason == FinishReason::Interrupted {
            return Err(stop::stopped(progress.far));
        }
        report.program = env!("CARGO_PKG_NAME");
        args.report.finish(&mut report, flags.clone(), args.common.json, || {
            read_bandwidth_of(threads)
        });
        output.end(&generation, Some(report.json()?))?;
        args.report.print(&report, args.common.json)?;
        args.common.seed = args.common.seed.wrapping_add(1);
    }
    Ok(())
}
