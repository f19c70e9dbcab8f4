//! The affine hull of points: all linear equations with whole numbers that hold of them.

/// Equations `c0 * x0 + c1 * x1 + .. + c == 0` that all points satisfy and that imply all others,
/// each as its coefficients and then the constant. None if there are too few points to tell.
pub(crate) fn equations(points: &[Vec<i128>]) -> Vec<Vec<i128>> {
    let Some(first) = points.first() else { return Vec::new() };
    let width = first.len() + 1;
    // An equation is a vector that every row (point, 1) is orthogonal to.
    let mut rows: Vec<Vec<i128>> = Vec::new();
    for point in points {
        let mut row = point.clone();
        row.push(1);
        insert(&mut rows, row);
        if rows.len() == width {
            return Vec::new();
        }
    }
    if points.len() < 2 {
        return Vec::new();
    }
    // In echelon form, equations mention fewer variables.
    let mut equations = Vec::new();
    null_space(&rows, width).into_iter().for_each(|equation| insert(&mut equations, equation));
    equations.retain(|equation| equation.iter().all(|value| value.abs() <= LARGE));
    equations
}

/// Limit on coefficients: larger ones are an accident.
const LARGE: i128 = 1_000;

/// Adds a row to rows in echelon form, unless it depends on them.
fn insert(rows: &mut Vec<Vec<i128>>, mut row: Vec<i128>) {
    for known in rows.iter() {
        let pivot = pivot(known);
        eliminate(&mut row, known, pivot);
    }
    if row.iter().any(|value| *value != 0) {
        for known in rows.iter_mut() {
            let pivot = pivot(&row);
            eliminate(known, &row, pivot);
        }
        rows.push(row);
    }
}

fn pivot(row: &[i128]) -> usize {
    row.iter().position(|value| *value != 0).unwrap_or(0)
}

/// Makes `row[at]` zero by subtracting a multiple of `by`, and divides by what all entries share.
fn eliminate(row: &mut [i128], by: &[i128], at: usize) {
    let (one, other) = (row[at], by[at]);
    if one == 0 {
        return;
    }
    for (value, by) in row.iter_mut().zip(by) {
        *value = value.saturating_mul(other).saturating_sub(by.saturating_mul(one));
    }
    reduce(row);
}

fn reduce(row: &mut [i128]) {
    let shared =
        row.iter().fold(0, |shared, value| greatest_divisor(shared, value.saturating_abs()));
    if shared > 1 {
        row.iter_mut().for_each(|value| *value /= shared);
    }
}

fn greatest_divisor(one: i128, other: i128) -> i128 {
    if other == 0 { one } else { greatest_divisor(other, one % other) }
}

/// The vectors orthogonal to rows in reduced echelon form.
fn null_space(rows: &[Vec<i128>], width: usize) -> Vec<Vec<i128>> {
    let pivots: Vec<usize> = rows.iter().map(|row| pivot(row)).collect();
    let mut found = Vec::new();
    for free in (0..width).filter(|column| !pivots.contains(column)) {
        // With the free entry `scale`, each pivot entry is `-row[free] * scale / row[pivot]`.
        let scale = rows.iter().fold(1, |scale, row| {
            let pivot = row[pivot(row)].saturating_abs();
            scale / greatest_divisor(scale, pivot) * pivot
        });
        let mut equation = vec![0; width];
        equation[free] = scale;
        for (row, &pivot) in rows.iter().zip(&pivots) {
            equation[pivot] = -row[free] * (scale / row[pivot]);
        }
        found.push(equation);
    }
    found
}

/// An equation as people write it: what has a positive coefficient on the left, the rest on the
/// right.
pub(crate) fn text(equation: &[i128], names: &[String]) -> Option<String> {
    let variables = || names.iter().zip(equation).filter(|(_, factor)| **factor != 0);
    let constant = *equation.last()?;
    if variables().count() == 0 {
        return None;
    }
    // The variable that stands alone comes first, or else the first one.
    let sign = variables().find(|(_, factor)| factor.abs() == 1).or(variables().next())?.1.signum();
    let side = |wanted: i128| {
        let mut terms: Vec<String> = variables()
            .filter(|(_, factor)| **factor * sign * wanted > 0)
            .map(|(name, factor)| match factor.abs() {
                1 => name.clone(),
                factor => format!("{factor} * {name}"),
            })
            .collect();
        let constant = constant * sign * wanted;
        if constant > 0 || terms.is_empty() {
            terms.push(constant.max(0).to_string());
        }
        terms.join(" + ")
    };
    Some(format!("{} == {}", side(1), side(-1)))
}

#[cfg(test)]
mod tests {
    use super::{equations, text};

    fn check(points: &[&[i128]], expected: &[&str]) {
        let points: Vec<Vec<i128>> = points.iter().map(|point| point.to_vec()).collect();
        let names: Vec<String> = ["x", "y", "z"].map(str::to_owned).to_vec();
        let found = equations(&points);
        let found: Vec<String> =
            found.iter().filter_map(|equation| text(equation, &names)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_and_planes() {
        check(&[&[0, 0, 0], &[2, 1, 0], &[4, 2, 5]], &["x == 2 * y"]);
        check(&[&[1, 2, 3], &[2, 3, 3]], &["x + 1 == y", "z == 3"]);
        check(&[&[0, 0, 0], &[20, 1, 0], &[22, 1, 1], &[2, 0, 1]], &["x == 20 * y + 2 * z"]);
        check(&[&[3, -1, 0], &[1, 1, 9], &[0, 2, 4]], &["x + y == 2"]);
    }

    #[test]
    fn too_little_or_nothing_to_say() {
        check(&[], &[]);
        check(&[&[1, 2, 3]], &[]);
        check(&[&[0, 0, 0], &[1, 0, 0], &[0, 1, 0], &[0, 0, 1]], &[]);
    }
}
