package forms

// name is the end of a name of a credential, as a part of a pattern.
const name = `(?i:passw(?:or)?d|passwd|passwort|pwd|secret|token|(?:api|access|private|auth)[_-]?key)s?`

// What no value is that stands in these forms: words, numbers, and what a program puts in later.
var (
	words  = []string{`^[A-Za-z_., '"%()-]+$`, `^[0-9.]+$`, `^[<$%:?{]`, `^\*+$`}
	stated = []string{`^[^0-9]+$`, `^[0-9.:+TZ -]+$`, `^\d{4}-\d\d`, `@`, `^/`, `://`, `(?i)^[0-9a-f]{8}-[0-9a-f]{4}-`}
)

// named are the forms in which something else than a sign of assignment parts a name from a
// value: statements of SQL and what databases say of them, messages that repeat an input that
// they refuse, elements of XML that say the name in an attribute or beside the value, and lines
// of settings.
var named = []Form{
	{ID: "compared-in-sql", Words: []string{" in (", " in(", " like ", " ilike ", " <> ", " any ("}, Pattern: `\b[\w.]{0,60}` + name + `["'\x60\]\\]{0,2}\s+(?i:not\s+)?(?:(?i:in\s{0,2}|=?\s{0,2}any\s{0,2})\(\s{0,4}((?:\\?['"])[^()\n]{6,400}?\\?['"])\s{0,4}\)|(?i:i?like|<>)\s+\\?['"]([^'"\\\n]{6,200})\\?['"])`, Allowed: words},
	{ID: "set-password", Words: []string{"set password"}, Pattern: `(?i:\bset password\b)(?: (?i:for) [^=\n]{1,120}?)?\s{0,4}=\s{0,4}(?i:password\s{0,2}\(\s{0,2})?\\?['"]([^'"\\\n]{4,200})`},
	{ID: "identified-by", Words: []string{"identified by "}, Pattern: `(?i:\bidentified by) ((?:[^\s'";\\<]){6,200})`, Allowed: words},
	{ID: "duplicate-key", Words: []string{"key ("}, Pattern: `(?i:\bkey )\((?:[^()\n]{0,200}?[\s,".])?[\w.]{0,60}` + name + `\\?"?(?:,[^()\n]{0,200})?\)=\(([^()\n]{4,400})\)`, Allowed: words},
	{ID: "duplicate-key", Words: []string{"duplicate entry "}, Pattern: `(?i:duplicate entry) \\?'([^'\\\n]{4,400})\\?' (?i:for key) \\?'[\w.$-]{0,100}` + name + `(?:[_.](?i:\w{0,10}(?:unique|uindex|uniq|uk|uq|idx|index|key)))?\\?'`, Allowed: words},
	{ID: "duplicate-key", Words: []string{"duplicate key value is ("}, Pattern: `[\w.$-]{0,100}` + name + `\\?'\. (?i:the duplicate key value is) \(([^()\n]{4,400})\)`, Allowed: words},
	{ID: "statement-parameter", Words: []string{"parameters: $"}, Pattern: `\$\d{1,3} = '([^'\s]{12,200})'`, Entropy: 3, Allowed: stated},
	{ID: "statement-parameter", Words: []string{"[parameters: ("}, Pattern: `(?:\(|, )'([^'\s]{12,200})'`, Entropy: 3, Allowed: stated},
	{ID: "statement-parameter", Words: []string{"binding parameter "}, Pattern: `(?i:binding parameter) [^\n]{1,80}?[-<>]+ {0,2}\[([^\]\s]{12,200})\]`, Entropy: 3, Allowed: stated},

	{ID: "refused-input", Words: []string{`"loc"`, `loc\"`, `'loc'`, `"path"`, `path\"`}, Pattern: `\\{0,3}["'](?:loc|path)\\{0,3}["']\s{0,4}:\s{0,4}[\[(][^\])]{0,200}?` + name + `\\{0,3}["']\s{0,20},?\s{0,20}[\])][\s\S]{0,300}?\\{0,3}["'](?:input|received)\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']([^"'\\\n]{4,200})`},
	{ID: "refused-input", Words: []string{`"received"`, `received\"`}, Pattern: `\\{0,3}"received\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([^"\\\n]{4,200})\\{0,3}"[\s\S]{0,200}?\\{0,3}"path\\{0,3}"\s{0,4}:\s{0,4}\[[^\]]{0,200}?` + name + `\\{0,3}"\s{0,20}\]`},
	{ID: "refused-input", Words: []string{"input_value="}, Pattern: `(?:^|\n|\\n)[\w.]{0,80}` + name + `\s{0,2}(?:\r?\n|\\n)[^\n]{0,300}?input_value=\\?['"]([^'"\\\n]{4,200})`},
	{ID: "refused-input", Words: []string{"rejected value ["}, Pattern: `(?i:on field) \\?'[\w.\[\]]{0,80}` + name + `\\?': (?i:rejected value) \[([^\]\n]{4,200})\]`},
	{ID: "refused-input", Words: []string{"rejectedvalue"}, Pattern: `\\{0,3}"(?:field|property|propertyPath)\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"[\w.]{0,80}` + name + `\\{0,3}"[\s\S]{0,200}?\\{0,3}"rejectedValue\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([^"\\\n]{4,200})`},
	{ID: "refused-input", Words: []string{"rejectedvalue"}, Pattern: `\\{0,3}"rejectedValue\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([^"\\\n]{4,200})\\{0,3}"[\s\S]{0,200}?\\{0,3}"(?:field|property|propertyPath)\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"[\w.]{0,80}` + name + `\\{0,3}"`},
	{ID: "refused-input", Words: []string{"on instance["}, Pattern: `(?:On instance)[^\n]{0,200}?\[\\?'[\w.]{0,80}` + name + `\\?'\]:(?:\s|\\n){0,40}\\?['"]([^'"\\\n]{4,200})`},
	{ID: "refused-input", Words: []string{"failed validating "}, Pattern: `\\?['"]([^'"\\\n]{4,200})\\?['"] (?:is|does|was|has)\b[^\n]{0,120}?(?:\s|\\n){1,8}Failed validating [^\n]{0,200}?\[\\?'[\w.]{0,80}` + name + `\\?'\]`},
	{ID: "refused-input", Words: []string{"instancepath"}, Pattern: `\\{0,3}"instancePath\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"[\w./]{0,100}` + name + `\\{0,3}"[\s\S]{0,400}?\\{0,3}"data\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([^"\\\n]{4,200})`},
	{ID: "refused-input", Words: []string{": parsing "}, Pattern: `\b[\w.]{0,60}` + name + `\b[^\n]{0,80}?\b(?:strconv|time)\.?\w*: parsing (?:time )?\\?"([^"\\\n]{4,200})`},
	{ID: "refused-input", Words: []string{"invalid value '"}, Pattern: `(?i:invalid value) '([^'\n]{4,200})' (?i:for) '-{0,2}[\w-]{0,60}` + name + `\b`},
	{ID: "refused-input", Words: []string{" value: '"}, Pattern: `(?i:argument) (?:-\w/)?-{0,2}[\w-]{0,60}` + name + `: (?i:invalid) [\w ]{0,30}value: '([^'\n]{4,200})'`},

	{ID: "named-element", Words: []string{`password">`, `password'>`, `password\">`, `password\u0022>`, `password&quot;>`, `passwd">`, `passwd'>`, `passwd\">`, `passwd\u0022>`, `passwd&quot;>`, `secret">`, `secret'>`, `secret\">`, `secret\u0022>`, `secret&quot;>`, `token">`, `token'>`, `token\">`, `token\u0022>`, `token&quot;>`, `key">`, `key'>`, `key\">`, `key\u0022>`, `key&quot;>`}, Pattern: `(?:<|&lt;|\\u003c)[\w:-]{1,40}\s[^<>]{0,200}?\b(?i:name|key|id)\s{0,2}=\s{0,2}\\{0,2}(?:["']|&quot;)[\w.:-]{0,80}` + name + `\\{0,2}(?:["']|&quot;)[^<>&]{0,100}>\s{0,20}([^<>\s\\]{4,200})`, Allowed: words},
	{ID: "named-element", Words: []string{`password</name>`, `password</key>`, `password<\/name>`, `password<\/key>`, `passwd</name>`, `passwd</key>`, `passwd<\/name>`, `passwd<\/key>`, `secret</name>`, `secret</key>`, `secret<\/name>`, `secret<\/key>`, `token</name>`, `token</key>`, `token<\/name>`, `token<\/key>`, `key</name>`, `key</key>`, `key<\/name>`, `key<\/key>`}, Pattern: `<(?:name|key)>[\w.:-]{0,80}` + name + `<\\?/(?:name|key)>(?:\s|\\n|\\t){0,40}<(?:value|string)>([^<>\s\\]{4,200})`, Allowed: words},

	{ID: "setting-line", Words: []string{"requirepass ", "masterauth "}, Pattern: `\b(?:requirepass|masterauth)[ \t]+["']?([^\s"'\\]{6,200})`, Allowed: words},
	{ID: "setting-line", Words: []string{"env ", "arg ", "setenv ", "set -", "setx ", "#define ", "fastcgi_param ", "uwsgi_param ", "proxy_set_header ", "add_header ", "set-header ", "requestheader "}, Pattern: `(?:(?:\b(?:ENV|ARG|SetEnv|setenv|setx|fastcgi_param|uwsgi_param|proxy_set_header|add_header|set-header)|\bset -\w{1,3}|#define|RequestHeader +\w{3,8}))[ \t]+["']?(?:[\w.-]{0,60}(?:` + name + `|KEY)\w{0,12}|(?i:(?:proxy-)?authorization))["']?[ \t]+\\?["']?(?:(?i:bearer|basic|token) )?([^\s"';\\]{6,200})`, Allowed: words},
	{ID: "named-cell", Words: []string{`password |`, `passwd |`, `secret |`, `token |`, `key |`}, Pattern: `(?m)^\s{0,8}\|\s{0,20}\x60?[\w.-]{0,60}` + name + `\x60?\s{0,40}\|\s{0,20}\x60?([^\s|\x60]{6,200})\x60?\s{0,40}\|`, Allowed: words},
	{ID: "named-login", Words: []string{"basicauth(", "basic_auth(", "digestauth(", "credential(", "credentials(", "credentials.basic(", "passwordauthentication("}, Pattern: `(?i:basic_?auth|digest_?auth|networkcredential|password_?credentials?|basic_?credentials?|credentials\.basic|passwordauthentication)\(\s{0,20}(?:\w{1,20}\s?=\s?)?\\?["'][^"'\\\n]{1,100}\\?["'],\s{0,20}(?:\w{1,20}\s?=\s?)?\\?["']([^"'\\\n]{6,200})`, Allowed: words},
	{ID: "named-value", Words: []string{"contraseñ", `contrase\u00f1`, "contrase%c3%b1", "schlüssel", `schl\u00fcssel`, "lösenord", "hasło", "şifre", "пароль", "密码", "密碼", "パスワード"}, Pattern: `(?:(?i:contrase)(?:ñ|\\u00f1|(?i:%c3%b1))(?i:as?)|(?i:schl)(?:ü|\\u00fc)(?i:ssel)|(?i:l)ö(?i:senord)|(?i:has)ł(?i:o)|ş(?i:ifre)|пароль|密码|密碼|パスワード)\\{0,3}["']?\s{0,3}(?:=>|:=|=|:)\s{0,3}\\{0,3}["']?([^\s"'\\,;&<>]{6,200})`, Allowed: words},
}
