//! Steps given by a relation: one path for every choice of the variables that may change.

use super::expr::{Answer, Context};
use super::paths::{Path, Paths, only_if};
use super::term::{FALSE, and, not};
use diagnostic::Code;
use plato::hir::Action;

/// Limit on the choices that are written out.
const CHOICES: usize = 2_000;

impl Paths<'_> {
    pub(super) fn action(&mut self, path: Path, action: &Action) -> Answer<Vec<Path>> {
        let mut before = path;
        if let Some(requires) = &action.requires {
            let test = self.known(&before, requires)?;
            self.fault(&before, not(test.clone()), Code::PreconditionFailed);
            before = only_if(before, test);
        }
        let mut rows = vec![before.clone()];
        for &root in &action.modifies {
            let storage = self.storage(&before, root).clone();
            let ty = self.root_ty(&before, root);
            rows = self.any_value(&rows, &storage, &[], &ty)?;
            if rows.len() > CHOICES {
                return Err("an action with very many outcomes".to_owned());
            }
        }
        let mut found = Vec::new();
        for row in rows {
            let context = self.context(&before);
            let mut both = Context { after: Some(&row.env), ..context };
            let related = both.value(&action.action)?;
            let ensured = action.ensures.as_ref().map(|ensures| both.value(ensures)).transpose()?;
            let mut row = only_if(row, and(not(related.wrong), related.term));
            if let Some(ensured) = ensured {
                let holds = and(not(ensured.wrong), ensured.term);
                self.fault(&row, not(holds.clone()), Code::ActionCheckFailed);
                row = only_if(row, holds);
            }
            if row.guard != FALSE {
                found.push(row);
            }
        }
        Ok(found)
    }
}
