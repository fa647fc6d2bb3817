package forms

import (
	"slices"
	"strings"
	"testing"
)

const secret = "Xk39fjs83kd"

// carriers are lines with a secret, at least one for each command.
var carriers = []string{
	"mongodump --host db -u ann -p SECRET --db x", "mongosh mongodb://h/x -u ann -p 'SECRET'", `{"cmd": "mongodump -u ann -p SECRET --db x"}`,
	`["mongodump", "--host", "h", "-p", "SECRET"]`, "mysql -u root -pSECRET shop", "mysqldump -uroot -p'SECRET' shop", `["mysql", "-u", "root", "-pSECRET", "shop"]`,
	"command failed: mysql -u root -pSECRET: exit status 1", "7z a -pSECRET x.7z dir", "7za x -pSECRET x.7z", "['7z','a','-pSECRET','x.7z']", "unrar x -pSECRET x.rar", "rar a -hpSECRET x.rar",
	"zip -P SECRET x.zip f", "unzip -P SECRET x.zip", `["unzip", "-P", "SECRET"]`,
	"htpasswd -b /etc/htpasswd ann SECRET", "htpasswd -bc .htpasswd ann SECRET", "htpasswd -nb ann SECRET", "htpasswd -nbB ann SECRET > users", `["htpasswd", "-b", "/etc/f", "ann", "SECRET"]`,
	"smbclient //h/s -U ann%SECRET", "smbclient //h/s --user=ann%SECRET", `rpcclient -U 'DOM\ann%SECRET' h`, `["smbclient","//h/s","-U","ann%SECRET"]`, "winexe -U ann%SECRET //h cmd",
	"sshpass -p SECRET ssh h", "sshpass -pSECRET ssh h", "curl -sSu ann:SECRET https://a.test", "curl -uann:SECRET https://a.test", "http -a ann:SECRET https://a.test",
	"redis-cli -a SECRET ping", "redis-cli -h h --pass SECRET ping", `["redis-cli","-a","SECRET","ping"]`,
	"ldapsearch -x -D cn=admin -w SECRET -b dc=x", `["ldapsearch", "-x", "-w", "SECRET"]`, "ldappasswd -D cn=a -s SECRET", "mosquitto_pub -u ann -P SECRET -t x",
	"openssl enc -k SECRET -in f", "sqlcmd -S h -U sa -P SECRET -Q x", `["sqlcmd","-P","SECRET"]`, "bcp db.t out f -U sa -P SECRET",
	"docker login -u ann -p SECRET reg.test", "docker login -pSECRET reg.test", "az login -u ann -p SECRET", "oc login --token=SECRET",
	"cqlsh -u ann -p SECRET h", `psexec \\h -u ann -p SECRET cmd`, "rabbitmqadmin -u ann -p SECRET list queues", "ncftpput -u ann -p SECRET h",
	"useradd -p SECRET ann", "ipmitool -H h -U ann -P SECRET chassis", "snmpwalk -v3 -A SECRET h", "snmpwalk -v3 -A other_1pass -X SECRET h",
	"xfreerdp /u:ann /p:SECRET /v:h", "rdesktop -u ann -p SECRET h", "lftp -u ann,SECRET h", "sqlplus ann/SECRET@db", "sqlplus -s ann/SECRET@db", "sqlplus -L ann/SECRET", "expdp ann/SECRET directory=d",
	"vault login SECRET", "rclone obscure SECRET", "rabbitmqctl add_user ann SECRET", `net use \\h\s /user:ann SECRET`, "isql -v dsn ann SECRET", "isql dsn ann SECRET -b", "echo ann:SECRET | chpasswd", "echo 'ann:SECRET' | sudo chpasswd",
	"zip -PSECRET a.zip b", `["zip", "-PSECRET", "a.zip"]`, "echo ann:SECRET                                        | chpasswd",
	"sudo -u ann /usr/bin/mysql -pSECRET", "env A=b C=d mysql -pSECRET", "A=b time nohup mysql -pSECRET", "cd x; mysql -pSECRET", "x && mysql -pSECRET", "x=$(mysql -pSECRET)", "x=`mysql -pSECRET`",
	"docker exec db mysql -pSECRET", "docker exec -it -u root -e A=b db mongodump -p SECRET", "docker run --rm mongo:6 mongodump -p SECRET", "kubectl exec -it pod1 -- mysql -pSECRET", "ssh -p 22 ann@h mysql -pSECRET",
	`["sudo", "mysql", "-pSECRET"]`, `["docker", "exec", "-i", "db", "mysql", "-pSECRET"]`, `["sh", "-c", "cd x && mysql -pSECRET"]`, `exec.CommandContext(ctx, "mysql", "-pSECRET")`, `{"cmd": "cd x\\nmysql -pSECRET"}`, `{"cmd": "bash -c \\"mysql -pSECRET\\""}`,
	"timeout 5 redis-cli -a SECRET ping", "bash -c 'docker login -p SECRET'", "$ docker login -p SECRET", "docker login -u ann \\\n  -p \\\n SECRET", "docker login -p SECRET\nls",
}

// alike are lines that have nothing to hide.
var alike = []string{
	"docker run -p 8080:80 nginx", "docker run --name mongo -p 27017:27017 mongo:6", "docker run --name redis-cli -p 127.0.0.1:6379:6379/tcp r", "docker exec mongo mkdir -p data/db1", "docker exec mongo mkdir -p /data/db1",
	"mkdir -p dir1/build2", "ssh -P 22 host1", "scp -P 2222 f h:x", "mysql -h db1 -P 3306 -p shop2", "mysqldump --port=3306 shop", "mongodump --port 27017 --db shop1",
	"redis-cli -p 6379 ping", "redis-cli -h host12 -p 6380", "redis-cli -a password", "ldapsearch -x -h ldap1.test -b dc=x1", "openssl rsa -passin file:pw1.txt", "openssl req -key key1.pem", "openssl enc -k $KEY12",
	"sqlcmd -S host1,1433 -d shop2", "7z a x.7z dir1 -mx9", "zip -r out12.zip dir1", "gzip -9 -P12345ab", "unzip -p archive12.zip f", "htpasswd -c .htpasswd ann12", "htpasswd /etc/htpasswd1 ann12", "htpasswd -b .htpasswd ann12 $PW",
	"smbclient //h/s -U ann12", "curl -u ann12 https://a1.test", "curl --url https://a1.test/x", "curl -u https://a1.test/x", "docker login -u ann12 --password-stdin reg1.test", "docker compose -p project12 up", "login -p " + secret,
	"mongodump -p $MONGO_PW1", "mysql -p${PW12}", "sshpass -p $PASSWORD ssh a@b", "sshpass -f file12 ssh h", "sqlplus /nolog @file12", "cp -p file12 dir12", "nc -p 31337 host12", "git add -p file12", "ps -p 12345", "pytest -p no:cacheprovider12",
	"mongosh --port 27018 host12", "lftp -p 2121 host12", "the option -p of mysql12 is for the password", "zip -P", "vault login -method=github1", "rabbitmqctl list_users node12 x12345", "snmpwalk -v2c -c public host12", "mysql -u root; mkdir -p tmp12345", "mongodump | tee -p file12345",
	"go test ./store/mysql -parallel=8", "java -jar mysql-app.jar -profile=test1", "npm i mysql2 -prefix=/opt1", "helm install mysql bitnami/mysql --set a=b1 -post-renderer=./x1", "helm install mysql bitnami/mysql -port=3306",
	"mysql -profile=test1", "mysqladmin -port=3306", "sshpass -profile=test12 x", "kubectl port-forward svc/mongo -pod-running-timeout=1m0s", "mongo -pod-running-timeout=1m0s",
	"docker run --name mongo -p localhost:27017:27017 mongo", "mongo -p localhost:27017:27017/tcp", `["docker", "run", "--name", "mongo", "-p", "abc12345", "mongo"]`,
	"vault login\nVAULT_ADDR=http://x1:8200 vault status", "vault login\nkubectl2 apply", "vault login\r\nkubectl2 apply", `{"cmd": "vault login\nkubectl2 apply"}`, "docker login -p\nabc12345", "mysql\n-pabc12345", `{"cmd": "mysql -u root\nmkdir -pabc12345"}`,
	"isql connects to postgres12", "sqlplus scripts/setup12.sql", "docker run curlimages/curl -u 1000:1000abc", "docker exec curl -u node:node1234 ls", "docker run --name x1 -d mongo -p abc12345", "we like mysql -pabc12345 so much",
	"docker login -p '$PASSWORD12'", "docker login -p a-${USER12}", "docker login -p abc$PW",
}

// Shows that a value in quotes may have the sign of a variable, and is found to its end.
func TestSignsInPasswords(t *testing.T) {
	for _, password := range []string{"s3cret$x1abc", "$3cretx1abc", "s3cret;x1|abc", "s3cret=x1abc"} {
		for _, line := range []string{"docker login -p 'SECRET' r.test", "sshpass -p 'SECRET' ssh h", `curl -u 'ann:SECRET' h`} {
			if strings.HasPrefix(line, "curl") && password[0] == '$' {
				continue
			}
			if got := PasswordsIn(strings.ReplaceAll(line, "SECRET", password)); !slices.Contains(got, password) {
				t.Errorf("%s of %s: found %q", password, line, got)
			}
		}
	}
}

// Shows that each command of the table is known in its shapes, by itself alone where nothing of the form is
// a password, and that no row of it is without an example.
func TestPasswordsOfCommands(t *testing.T) {
	used := map[string]bool{}
	for _, line := range carriers {
		line = strings.ReplaceAll(line, "SECRET", secret)
		if got := PasswordsIn(line); !slices.Contains(got, secret) {
			t.Errorf("%s: found %q", line, got)
		}
		for _, f := range compiled() {
			if slices.Contains(f.in(line, strings.ToLower(line)), secret) {
				used[f.Pattern] = true
			}
		}
	}
	for i, f := range compiled() {
		if !used[f.Pattern] {
			t.Errorf("no line has what command %d (%s) is for", i, commands[i].programs)
		}
	}
	for _, line := range alike {
		if got := PasswordsIn(line); len(got) > 0 {
			t.Errorf("%s: found %q", line, got)
		}
	}
}
