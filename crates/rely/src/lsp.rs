//! `rely lsp`.

use crate::arguments::LspArguments;
use crate::check::{TIMEOUT, cores, limits};
use crate::programs::{Kept, program};
use crate::{memory, solver};
use driver::Options;
use lsp::Setup;
use lsp_server::Connection;

pub(crate) fn lsp(arguments: LspArguments) -> anyhow::Result<u8> {
    let options = solver::find().map_err(|error| error.to_string()).map(|solver| {
        let jobs = cores();
        let memory = memory::default_mib(jobs);
        Options {
            jobs,
            limits: limits(TIMEOUT, memory),
            solver_name: solver::name(&solver),
            ..Options::new(solver)
        }
    });
    // What is wrong with these options is told at once, not at the first file.
    crate::library::open_for_java(&arguments.library)?;
    let kept = Kept::new(arguments.library);
    let programs: lsp::Programs = Box::new(move |input, options| {
        program(input, options, &kept).map_err(|error| format!("{error:#}"))
    });
    let setup = Setup { options, programs };
    let (connection, threads) = Connection::stdio();
    let served = lsp::serve(&connection, setup);
    // The threads end when the connection is gone.
    drop(connection);
    served.map_err(|error| anyhow::anyhow!("the editor is not understood: {error}"))?;
    threads.join()?;
    Ok(0)
}
