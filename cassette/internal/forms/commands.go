package forms

import "slices"

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
	between = `(?:(?:[ \t,"']|\\+["']|\\\r?\n)+)`
	quotes  = `(?:\\{0,3}["']){0,2}`
	last    = `[^\s"'\\:;,.)\]}\x60]` // without the sign of a sentence behind it
	value   = `(?:'(\$[^\s"'\\]{5,199})'|` + quotes + `([^\s"'\\$][^\s"'\\]{4,198}` + last + `))`
	// joined is a value that is not the rest of another option: -parallel=8, -pedantic.
	joined = quotes + `([a-z-]{0,60}[^\s"'\\$=a-z-](?:[^\s"'\\]{0,198}` + last + `)?)`

	apart        shape = `(?:=|` + between + `)` + value                                     // -p PW, --password=PW
	attached     shape = joined                                                              // -pPW
	either       shape = `(?:` + apart + `|` + joined + `)`                                  // -p PW, -pPW
	behindSign   shape = `(?:=|` + between + `)?` + quotes + `[^\s"'%:$]{1,100}[%:]` + value // -U user%PW, -u user:PW
	behindComma  shape = between + quotes + `[^\s"',$]{1,100},` + value                      // -u user,PW
	behindSlash  shape = between + quotes + `[\w#]{1,60}/([^\s"'\\$@/]{6,200})`              // user/PW
	beforeSign   shape = behindSlash + `(?:@|["']?\s+\w+=)`                                  // user/PW@service, user/PW directory=x
	next         shape = between + value                                                     // program PW
	behindUser   shape = between + `[^\s"'|;&]{1,200}` + between + value                     // program user PW
	behindTwo    shape = between + `[^\s"'|;&]{1,200}` + between + `[^\s"'|;&]{1,200}` + between + value
	twoAndOption shape = behindTwo + `["']?\s+-[a-z]` // program name user PW -b
	beforeItself shape = ``                           // the program has the whole pattern
)

const snmp = `snmp(?:walk|get|getnext|set|bulkwalk|bulkget|trap|inform|status|table)`

// commands are those of which a password is no more than a letter away from a word: options that carry it by
// their names are known of any program.
var commands = []command{
	{[]string{"docker", "podman", "nerdctl", "buildah", "skopeo", "helm registry", "oras", "az login", "oc login", "cf login"}, `(?:docker|podman|nerdctl|buildah|skopeo|helm registry|oras|az|oc|cf)` + between + `login`, `-p`, either},
	{[]string{"oc login"}, `oc\s+login`, `--token`, apart},
	{[]string{"sshpass"}, `sshpass`, `-p`, either},
	{[]string{"redis-cli"}, `redis-cli`, `-a|--pass`, apart},
	{[]string{"ldap"}, `ldap(?:search|add|modify|delete|whoami|compare|modrdn|passwd)`, `-w`, apart},
	{[]string{"ldappasswd"}, `ldappasswd`, `-[as]`, apart},
	{[]string{"mosquitto_"}, `mosquitto_(?:pub|sub|rr)`, `-P`, apart},
	{[]string{"mongo"}, `mongo(?:dump|restore|export|import|stat|top|files|sh)?`, `-p`, either},
	{[]string{"mysql", "mariadb"}, `(?:mysql|mariadb)[\w-]*`, `-p`, attached},
	{[]string{"7z a", "7z x", "7z e", "7za a", "7za x", "7z', ", `7z", `, "7z','", `7z","`}, `7z[arz]?`, `-p`, attached},
	{[]string{"rar a", "rar x", "rar e", "unrar "}, `(?:un)?rar`, `-h?p`, attached},
	{[]string{"zip -", `zip", `, `zip","`, "zip', ", "zip','", "unzip"}, `(?:un)?zip`, `-P`, either},
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
	{[]string{"sqlplus", "sqlldr", "expdp", "impdp"}, `(?:sqlplus|sqlldr|expdp|impdp)(?:\s+-[a-zA-Z]+)+`, ``, behindSlash},
	{[]string{"sqlplus", "sqlldr", "expdp", "impdp"}, `(?:sqlplus|sqlldr|expdp|impdp)`, ``, beforeSign},
	{[]string{"vault login"}, `vault\s+login`, ``, next},
	{[]string{"rclone obscure"}, `rclone\s+obscure`, ``, next},
	{[]string{"rabbitmqctl"}, `rabbitmqctl`, `add_user|change_password|authenticate_user`, behindUser},
	{[]string{"net use"}, `net\s+use\b[^|;&]*?/user:[^\s"']{1,100}`, ``, next},
	{[]string{"isql "}, `isql(?:\s+-\w+)+`, ``, behindTwo},
	{[]string{"isql "}, `isql`, ``, twoAndOption},
	{[]string{"chpasswd"}, `[\w.-]{1,60}:([^\s"'\\$:]{6,200})["']?[ \t]*\|\s*(?:sudo\s+)?chpasswd`, ``, beforeItself},
}

// form is where the password of a command stands, up to the end of its line or of the command.
func (c command) form() Form {
	f := Form{ID: "command-login", Words: c.words, Pattern: `^(?:` + c.programs + `)`, Allowed: notOfCommands, At: AtCommand}
	if c.shape == beforeItself {
		f.Pattern, f.At = c.programs, InLongText
	}
	if c.options != "" {
		f.Pattern += `\b[^|;&]*?[\s"'](?:` + c.options + `)`
	}
	f.Pattern += string(c.shape)
	return f
}

// notOfCommands is what stands behind such an option of another program in the same line: an option, a list, an
// address, ports, and a path; and a variable.
var notOfCommands = slices.Concat(noSecret, []string{
	`^[-([{]`, `^[.~]{0,2}/`, `^[0-9.:/-]+(?:tcp|udp)?$`, `^[a-z0-9._-]+(?:/[a-z0-9._-]+)+$`,
	`^.{0,5}$`, `^[A-Za-z0-9.-]+(?::[0-9-]{1,11}){2}(?:/(?:tcp|udp|sctp))?$`, `^[A-Za-z_.-]*\$(?:[A-Za-z_]\w*|\{\w+\}?)$`,
})

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
