//! Softmax with this chapter's own exponential, on scores that no prompt would bring about.

use ch03_simd_matmul::softmax::softmax;
use course_tests::root;
use serde_json::Value;

fn numbers(values: &Value) -> Vec<f32> {
    let values = values.as_array().expect("a list");
    values.iter().map(|value| value.as_f64().expect("a number") as f32).collect()
}

#[test]
fn softmax_of_scores_that_exp_cannot_hold() {
    let text = std::fs::read_to_string(root().join("tests/fixtures/parts.json"));
    let parts: Value = serde_json::from_str(&text.expect("it is there")).expect("it is sound");
    let cases = parts["softmax"].as_array().expect("a list of cases");
    assert!(!cases.is_empty());
    for case in cases {
        let (mut found, expected) = (numbers(&case["x"]), numbers(&case["y"]));
        softmax(&mut found);
        assert_eq!(found.len(), expected.len());
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!(
                approx::relative_eq!(found, expected, epsilon = 1e-6, max_relative = 2e-6),
                "softmax of {}, value {index}: {found}, expected {expected}",
                case["x"]
            );
        }
    }
}
