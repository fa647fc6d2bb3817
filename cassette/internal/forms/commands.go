package forms

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A command is a program of a command line, and where its password stands there.
type command struct {
	// words are what is looked for first, as those of a [Form].
	words []string
	// programs and options are alternatives of a pattern, options "" for what stands behind the program itself.
	programs, options string
	shape             shape
}

// A shape is how a password stands behind an option, as a pattern with one group.
type shape string

const (
	// between is what parts the words of a command, in a line of a shell, in a list and in a string of JSON.
	between = `(?:[\s"',\\]+)`
	quotes  = `["'\\]{0,3}`
	value   = `([^\s"'\\$]{5,199}[^\s"'\\$:;,.)\]}])` // without the sign of a sentence behind it

	apart        shape = `(?:=|` + between + `)` + quotes + value                            // -p PW, --password=PW
	attached     shape = quotes + value                                                      // -pPW
	either       shape = `(?:=|` + between + `)?` + quotes + value                           // -p PW, -pPW
	behindSign   shape = `(?:=|` + between + `)?` + quotes + `[^\s"'%:$]{1,100}[%:]` + value // -U user%PW, -u user:PW
	behindComma  shape = between + quotes + `[^\s"',$]{1,100},` + value                      // -u user,PW
	behindSlash  shape = between + quotes + `[\w#]{1,60}/([^\s"'\\$@/]{6,200})`              // user/PW@service
	next         shape = between + value                                                     // program PW
	behindUser   shape = between + `[^\s"'|;&]{1,200}` + between + value                     // program user PW
	behindTwo    shape = between + `[^\s"'|;&]{1,200}` + between + `[^\s"'|;&]{1,200}` + between + value
	beforeItself shape = `` // the program has the whole pattern
)

const snmp = `snmp(?:walk|get|getnext|set|bulkwalk|bulkget|trap|inform|status|table)`

// commands are those of which a password is no more than a letter away from a word: options that carry it by
// their names are known of any program.
var commands = []command{
	{[]string{"login"}, `(?:docker|podman|nerdctl|buildah|skopeo|helm registry|oras|az|oc|cf)\s+login`, `-p`, either},
	{[]string{"login"}, `oc\s+login`, `--token`, apart},
	{[]string{"sshpass"}, `sshpass`, `-p`, either},
	{[]string{"redis-cli"}, `redis-cli`, `-a|--pass`, apart},
	{[]string{"ldap"}, `ldap(?:search|add|modify|delete|whoami|compare|modrdn|passwd)`, `-w`, apart},
	{[]string{"ldappasswd"}, `ldappasswd`, `-[as]`, apart},
	{[]string{"mosquitto_"}, `mosquitto_(?:pub|sub|rr)`, `-P`, apart},
	{[]string{"mongo"}, `mongo(?:dump|restore|export|import|stat|top|files|sh)?`, `-p`, either},
	{[]string{"mysql", "mariadb"}, `(?:mysql|mariadb)[\w-]*`, `-p`, attached},
	{[]string{"7z a", "7z x", "7z e", "7za a", "7za x", "7z', ", `7z", `, "7z','", `7z","`}, `7z[arz]?`, `-p`, attached},
	{[]string{"rar a", "rar x", "rar e"}, `(?:un)?rar`, `-h?p`, attached},
	{[]string{"zip -", `zip", `, `zip","`, "zip', ", "zip','"}, `(?:un)?zip`, `-P`, apart},
	{[]string{"htpasswd"}, `htpasswd`, `-\w*n\w*b\w*|-\w*b\w*n\w*`, behindUser},
	{[]string{"htpasswd"}, `htpasswd`, `-[A-Zac-mo-z0-9]*b[A-Zac-mo-z0-9]*`, behindTwo},
	{[]string{"smb", "rpcclient", "winexe"}, `(?:smb(?:client|get|cacls|tree|spool|status|map)|rpcclient|winexe)`, `-U|--user`, behindSign},
	{[]string{"curl"}, `curl`, `-[A-Za-z]{0,8}[uU]`, behindSign},
	{[]string{"http -a", "https -a", "http --auth"}, `https?`, `-a|--auth`, behindSign},
	{[]string{"openssl"}, `openssl`, `-k`, apart},
	{[]string{"sqlcmd", "bcp "}, `(?:sqlcmd|bcp)`, `-P`, either},
	{[]string{"cqlsh", "rabbitmqadmin", "psexec", "ncftp"}, `(?:cqlsh|rabbitmqadmin|psexec(?:64)?|ncftp(?:put|get|ls)?)(?:\.exe)?`, `-p`, apart},
	{[]string{"useradd", "usermod"}, `(?:useradd|usermod)`, `-p`, apart},
	{[]string{"ipmitool"}, `ipmitool`, `-P`, apart},
	{[]string{"snmp"}, snmp, `-A`, apart},
	{[]string{"snmp"}, snmp, `-X`, apart},
	{[]string{"xfreerdp", "mstsc", "rdesktop"}, `(?:xfreerdp|wlfreerdp)`, `/p:`, attached},
	{[]string{"rdesktop"}, `rdesktop`, `-p`, apart},
	{[]string{"lftp"}, `lftp`, `-u`, behindComma},
	{[]string{"sqlplus", "sqlldr", "expdp", "impdp"}, `(?:sqlplus|sqlldr|expdp|impdp)(?:\s+-[a-zA-Z]+)*`, ``, behindSlash},
	{[]string{"vault login"}, `vault\s+login`, ``, next},
	{[]string{"rclone obscure"}, `rclone\s+obscure`, ``, next},
	{[]string{"rabbitmqctl"}, `rabbitmqctl`, `add_user|change_password|authenticate_user`, behindUser},
	{[]string{"net use"}, `net\s+use\b[^\n|;&]{0,200}?/user:[^\s"']{1,100}`, ``, next},
	{[]string{"isql "}, `isql(?:\s+-\w+)*`, ``, behindTwo},
	{[]string{"chpasswd"}, `[\w.-]{1,60}:([^\s"'\\$:]{6,200})["']?\s*\|\s*(?:sudo\s+)?chpasswd`, ``, beforeItself},
}

// form is where the password of a command stands, up to the end of its line or of the command.
func (c command) form() Form {
	pattern := `\b(?:` + c.programs + `)`
	if c.options != "" {
		pattern += `\b(?:[^\n|;&]{0,200}?)[\s"'](?:` + c.options + `)`
	}
	return Form{ID: "command-login", Words: c.words, Pattern: pattern + string(c.shape), Allowed: notOfCommands}
}

// notOfCommands is what stands behind such an option of another program in the same line: an option, a list, an
// address, ports, and a path.
var notOfCommands = slices.Concat(noSecret, []string{`^[-([{]`, `^[.~]{0,2}/`, `^[0-9.:/-]+(?:tcp|udp)?$`, `^[a-z0-9._-]+(?:/[a-z0-9._-]+)+$`})

// compiled are the forms of commands, ready to look for them.
var compiled = sync.OnceValue(func() (list []found) {
	for _, f := range formsOfCommands() {
		list = append(list, found{f.Words, regexp.MustCompile(f.Pattern)})
	}
	return list
})

// A found is a form that is looked for without a redactor.
type found struct {
	words   []string
	pattern *regexp.Regexp
}

var allowedOfCommands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(strings.Join(notOfCommands, "|")) })

// PasswordsIn are those that the commands of a line have in their options.
func PasswordsIn(line string) (list []string) {
	folded := strings.ToLower(line)
	for _, f := range compiled() {
		if !slices.ContainsFunc(f.words, func(w string) bool { return strings.Contains(folded, w) }) {
			continue
		}
		for _, m := range f.pattern.FindAllStringSubmatch(line, -1) {
			if !allowedOfCommands().MatchString(m[1]) {
				list = append(list, m[1])
			}
		}
	}
	return list
}

// noSecret is what stands in the place of a secret: words, numbers, and what stands for something else.
var noSecret = []string{`^[A-Za-z_.-]+$`, `^[0-9]+$`, `^<`}

// formsOfCommands are those of all commands.
func formsOfCommands() []Form {
	list := make([]Form, len(commands))
	for i, c := range commands {
		list[i] = c.form()
	}
	return list
}

// languages are the forms in which languages have a name and a value that no sign of assignment parts.
var languages = []Form{
	{ID: "pair-in-lisp", Words: []string{` . "`, ` . \"`, `:password "`, `:secret "`, `:token "`, `:api-key "`}, Pattern: `(?i)\(\s*[:'"\\]{0,3}[\w-]{0,40}(?:password|passwd|secret|token|api[_-]?key)["\\]{0,2}\s+(?:\.\s+)?\\?"([^"\s\\]{6,200})`, Allowed: noSecret},
	{ID: "text-in-perl", Words: []string{"q(", "q{", "q[", "q/", "q|", "q!"}, Pattern: `(?i)[\w-]{0,40}(?:password|passwd|secret|token|api[_-]?key)["'}\]]{0,3}\s*(?:=>?|,)\s*qq?\s?[({\[/|!]([^)}\]/|!\s]{6,200})[)}\]/|!]`, Allowed: noSecret},
	{ID: "variable-in-terraform", Words: []string{`variable "`, `variable \"`}, Pattern: `(?i)\bvariable\s+\\{0,3}"[\w-]{0,60}(?:password|passwd|secret|token|api_?key)(?:_\d+)?\\{0,3}"\s*\{[^}]{0,400}?\bdefault\s*=\s*\\{0,3}"([^"\s$\\]{6,200})`, Allowed: noSecret},
	{ID: "secret-in-sql", Words: []string{"create secret", "replace secret", "persistent secret", "temporary secret"}, Pattern: `(?i)\bcreate\s+(?:or\s+replace\s+)?(?:persistent\s+|temporary\s+)?secret\b[^;]{0,400}?[\s,(]secret\s+\\?'([^'\s\\]{6,200})`, Allowed: noSecret},
	{ID: "digest-response", Words: []string{"digest "}, Pattern: `(?i)\bdigest\s[^\n]{0,600}?\bresponse=\\{0,3}"?([0-9a-f]{32,128})`, Allowed: []string{`^[0-9]+$`}},
}
