//! `rely certificate`.

use crate::arguments::CertificateArguments;
use crate::{inputs, output};
use driver::{Certified, Refused};

pub(crate) fn certificate(arguments: &CertificateArguments) -> anyhow::Result<u8> {
    let inputs = inputs::read_one(&arguments.path);
    let Some(input) = inputs.texts.first() else {
        let lines = inputs.unreadable.join(", ");
        output::error(&format!("error: cannot read {lines}"));
        return Ok(3);
    };
    let definitions = arguments.definitions.as_slice();
    if let Some(path) = &arguments.check {
        let shown = path.display();
        let read = inputs::read_one(path);
        let Some(certificate) = read.texts.first() else {
            output::error(&format!("error: cannot read {}", read.unreadable.join(", ")));
            return Ok(3);
        };
        return Ok(match driver::recheck(input, definitions, &certificate.text) {
            Ok(certified) => accepted(&certified),
            Err(Refused::Unreadable(why)) => {
                output::error(&format!("error: {shown}: {why}"));
                3
            }
            Err(Refused::Wrong(why)) => {
                output::error(&format!("error: {shown} is no proof of the program: {why}"));
                1
            }
        });
    }
    match (driver::certify(input, definitions), &arguments.output) {
        (Err(why), _) => {
            output::error(&format!("error: there is no certificate: {why}"));
            return Ok(5);
        }
        (Ok(text), Some(path)) => std::fs::write(path, text)?,
        (Ok(text), None) => output::result(&text),
    }
    Ok(0)
}

fn accepted(certified: &Certified) -> u8 {
    let facts = certified.facts;
    output::result(&format!("the certificate is right: {facts} facts, closed under all steps\n"));
    for what in &certified.uncovered {
        output::result(&format!("it says nothing of {what}\n"));
    }
    0
}
