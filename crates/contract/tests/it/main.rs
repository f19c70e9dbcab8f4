//! Tests of designs: what they mean, by two computations, against known figures and on random designs.

mod any_size;
mod designs;
mod diagrams;
mod families;
mod hygiene;
mod naive;
mod named;
mod parsing;
mod random;
mod starvation;
mod stuck;
mod varied;
