use std::collections::BTreeMap;
#[allow(dead_code, non_snake_case)] #[derive(Debug)] struct Settings { user: String, xNAMEx: String, timeout: u32, api_key_count: u32, token_type: Option<String>, max_tokens: u32 }
#[allow(dead_code, non_snake_case)] #[derive(Debug)] struct Optional { user: String, xNAMEx: Option<String>, timeout: u32 }
#[allow(dead_code)] #[derive(Debug)] struct Secret(String);
#[allow(dead_code, non_snake_case)] #[derive(Debug)] struct Wrapped { xNAMEx: Secret, timeout: u32 }
#[allow(dead_code)] #[derive(Debug)] struct ApiToken(String);
#[allow(dead_code, non_snake_case)] #[derive(Debug)] struct Other { xNAMEx: ApiToken, timeout: u32 }
fn show(form: &str, text: String) { println!("-- rust: {} --\n{}", form, text); }
fn main() {
 let v = "xVALUEx".to_string();
 let s = Settings { user: "ann".into(), xNAMEx: v.clone(), timeout: 3, api_key_count: 2, token_type: Some("bearer".into()), max_tokens: 100 };
 show("debug", format!("{:?}", s)); show("debug in lines", format!("{:#?}", s));
 show("debug of an option", format!("{:?}", Optional { user: "ann".into(), xNAMEx: Some(v.clone()), timeout: 3 }));
 show("debug of an option in lines", format!("{:#?}", Optional { user: "ann".into(), xNAMEx: Some(v.clone()), timeout: 3 }));
 show("debug of a type", format!("{:?}", Wrapped { xNAMEx: Secret(v.clone()), timeout: 3 }));
 show("debug of another type", format!("{:?}", Other { xNAMEx: ApiToken(v.clone()), timeout: 3 }));
 show("debug of another type in lines", format!("{:#?}", Other { xNAMEx: ApiToken(v.clone()), timeout: 3 }));
 let mut m = BTreeMap::new(); m.insert("user", "ann"); m.insert("xNAMEx", "xVALUEx"); m.insert("timeout", "3");
 show("debug of a map", format!("{:?}", m)); show("debug of a map in lines", format!("{:#?}", m));
 show("debug of pairs", format!("{:?}", vec![("user", "ann"), ("xNAMEx", "xVALUEx")]));
 show("debug of pairs in lines", format!("{:#?}", vec![("user", "ann"), ("xNAMEx", "xVALUEx")]));
 show("debug in a debug", format!("{:?}", format!("{:?}", s)));
}
