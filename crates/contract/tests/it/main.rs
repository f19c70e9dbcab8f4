//! Tests of designs: their meaning by two computations, compared with known figures and on random
//! designs.

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
