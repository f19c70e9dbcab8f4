//! Programs from designs.

use crate::languages::Loaded;
use crate::load::load;
use crate::options::{Input, Options};
use source::SourceMap;

/// A program that runs the systems of a design on the middleware, or why there is none. It does not
/// check the design.
pub fn generate(input: &Input, options: &Options) -> Result<String, String> {
    let mut sources = SourceMap::default();
    let id = sources.add(input.name.as_str(), input.text.as_str());
    let file = load(id, input, options.given());
    let design = match file.loaded {
        Some(Loaded::Design(design)) => design,
        Some(_) => return Err("it is no design with synchronization contracts".to_owned()),
        None => return Err("the input is rejected; `rely check` says why".to_owned()),
    };
    // The name only, so that the program does not depend on where the design is.
    let name = input.name.rsplit(['/', '\\']).next().unwrap_or_default();
    contract::skeleton(&design, name).ok_or_else(|| "the design has no system".to_owned())
}
