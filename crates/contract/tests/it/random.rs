//! Random designs: the packed search, the direct computation and the rules agree, and `aon` is the
//! safest policy.

use crate::designs::{Rng, design};
use crate::naive::{counts, searched, system};
use contract::{Policy, Rules, verify};
use search::{Budget, Engine, Found};

#[test]
fn the_computations_agree() {
    let mut rng = Rng::new(42);
    let mut rules = Rules::default();
    let (mut deadlocks, mut violated, mut states) = ([0; 7], 0, 0);
    for _ in 0..80 {
        let text = design(&mut rng);
        let system = system(&text, &[]);
        let mut has_circle = [false; 7];
        for (at, policy) in Policy::ALL.into_iter().enumerate() {
            let found = counts(&system, policy, None);
            // The rules are slow, so they compute the smaller designs only.
            if found.states < 200 {
                assert_eq!(counts(&system, policy, Some(&mut rules)), found, "{policy}\n{text}");
            }
            assert_eq!(searched(&system, policy, false), found.states as u64, "{policy}\n{text}");
            assert!(searched(&system, policy, true) <= found.states as u64);
            has_circle[at] = found.circles > 0;
            // The answers stay the same if interchangeable threads count as one.
            let verified = verify(&system, policy, Engine::Explore, &Budget::default());
            let broken = |goal: usize| matches!(verified.goals[goal].1.found, Found::Violated(_));
            assert_eq!(broken(0), found.circles > 0, "{policy}\n{text}");
            assert_eq!(broken(3) || broken(4), found.violated, "{policy}\n{text}");
            deadlocks[at] += usize::from(found.circles > 0);
            violated += usize::from(found.violated);
            states += found.states;
        }
        let [unit, .., aon] = has_circle;
        assert!(has_circle.iter().all(|&one| unit || !one), "`unit` has every deadlock\n{text}");
        assert!(!aon || has_circle[3], "`thread` has every deadlock of `aon`\n{text}");
    }
    assert!(
        deadlocks[0] > 10 && deadlocks[6] > 0 && violated > 5 && states > 10_000,
        "{deadlocks:?} {violated} {states}"
    );
}
