//! Which methods override which.

use super::World;
use super::types::{Substitution, T};
use crate::typed::{ClassId, MethodId, Ty};

impl World<'_> {
    /// Which methods override which.
    pub(super) fn find_overriding(&mut self) {
        let mut found: Vec<(MethodId, MethodId)> = Vec::new();
        for class in self.program.class_ids() {
            let params = &self.infos[class.index()].params;
            let own = T::Class(class, params.iter().map(|var| T::Var(*var)).collect());
            let above: Vec<T> = self.supertypes(&own).into_iter().skip(1).collect();
            for id in self.program.class(class).methods.clone() {
                let method = self.program.method(id);
                if method.is_static || method.is_private || method.is_constructor {
                    continue;
                }
                for above in &above {
                    let T::Class(above_id, args) = above else { continue };
                    for other in self.methods_named(*above_id, method.name.as_str()) {
                        if self.overrides(id, other, *above_id, args) {
                            found.push((id, other));
                        }
                    }
                }
            }
        }
        found.extend(self.inherited_implementations());
        for class in self.program.class_ids() {
            for id in &self.program.class(class).methods {
                found.extend(self.program.method(*id).overrides.iter().map(|other| (*id, *other)));
            }
        }
        found.sort_unstable();
        found.dedup();
        for (id, other) in found {
            let method = &mut self.program.methods[id.index()];
            if !method.overrides.contains(&other) {
                method.overrides.push(other);
            }
            let other = &mut self.program.methods[other.index()];
            if !other.overridden_by.contains(&id) {
                other.overridden_by.push(id);
            }
        }
    }

    /// Methods of a class that implement those of an interface which only a class below it names.
    fn inherited_implementations(&self) -> Vec<(MethodId, MethodId)> {
        let mut found = Vec::new();
        for class in self.program.class_ids() {
            let params = &self.infos[class.index()].params;
            let own = T::Class(class, params.iter().map(|var| T::Var(*var)).collect());
            let above: Vec<T> = self.supertypes(&own).into_iter().skip(1).collect();
            for interface in &above {
                let T::Class(interface_id, args) = interface else { continue };
                for wanted in &self.program.class(*interface_id).methods {
                    let name = self.program.method(*wanted).name.as_str();
                    for holder in &above {
                        let T::Class(holder, _) = holder else { continue };
                        if self.program.is_subclass(*holder, *interface_id)
                            || self.program.is_subclass(*interface_id, *holder)
                        {
                            continue;
                        }
                        let candidates = self.methods_named(*holder, name).into_iter();
                        let is_it = |id: &MethodId| {
                            let method = self.program.method(*id);
                            let is_open = !method.is_static && !method.is_private;
                            let has_code = !method.is_abstract && !method.is_constructor;
                            is_open && has_code && self.overrides(*id, *wanted, *interface_id, args)
                        };
                        found.extend(candidates.filter(is_it).map(|id| (id, *wanted)));
                    }
                }
            }
        }
        found
    }

    fn overrides(&self, id: MethodId, other: MethodId, above: ClassId, args: &[T]) -> bool {
        let (method, inherited) = (self.program.method(id), self.program.method(other));
        if inherited.is_static || inherited.is_private || inherited.is_constructor {
            return false;
        }
        if method.params.len() != inherited.params.len() {
            return false;
        }
        let params = &self.infos[above.index()].params;
        let known: Substitution = if params.len() == args.len() {
            params.iter().copied().zip(args.iter().cloned()).collect()
        } else {
            Vec::new()
        };
        let theirs = &self.method_infos[other.index()].params;
        let theirs: Vec<Ty> = theirs.iter().map(|ty| self.erased(&ty.with(&known))).collect();
        theirs == method.params || inherited.params == method.params
    }
}
