// Package authority is the certificate authority of one run: it vouches for any
// host whose requests the run answers, and tells programs to believe it.
//
//	ca, err := authority.New(os.LookupEnv)
//	if err != nil {
//		return err
//	}
//	defer ca.Close()
//	for name, value := range ca.Variables() { // for the program
//		env = append(env, name+"="+value)
//	}
//	conn := tls.Server(raw, ca.Config("api.openai.com"))
//
// Its key is made anew for each run and never leaves the memory, so the
// certificate that a program was told to trust is worth nothing afterwards. What
// is written, into a directory that only its owner may enter, is public.
//
// Randomness is that of crypto/rand and validity counts from the real clock: both
// are what real clients hold a certificate against, and neither can be seen in a
// result.
package authority
