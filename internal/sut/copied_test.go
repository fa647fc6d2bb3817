package sut

import "testing"

// Shows which paths lead into a copy.
func TestCopy(t *testing.T) {
	c := &Copy{Of: "/srv/apps/shop", At: "/tmp/copy"}
	for _, row := range [][2]string{
		{"/srv/apps/shop", "/tmp/copy"},
		{"/srv/apps/shop/bin/agent", "/tmp/copy/bin/agent"},
		{"--data=/srv/apps/shop/data", "--data=/tmp/copy/data"},
		{"/usr/bin:/srv/apps/shop/bin:/srv/apps/shop/lib", "/usr/bin:/tmp/copy/bin:/tmp/copy/lib"},
		{"file:///srv/apps/shop/a.db", "file:///tmp/copy/a.db"},
		{"/srv/apps/shop2/a", "/srv/apps/shop2/a"},
		{"/mnt/srv/apps/shop/a", "/mnt/srv/apps/shop/a"},
		{"cd '/srv/apps/shop' && ls", "cd '/tmp/copy' && ls"},
		{"/srv/apps/shop/srv/apps/shop", "/tmp/copy/srv/apps/shop"},
		{"agent.py", "agent.py"},
	} {
		if got := c.text(row[0]); got != row[1] {
			t.Errorf("%s: %s, not %s", row[0], got, row[1])
		}
	}
	for _, row := range [][2]string{{"/srv/apps/shop/a/../b", "/tmp/copy/b"}, {"/srv/apps/other", "/srv/apps/other"}, {"/srv/apps/shop", "/tmp/copy"}} {
		if got := c.path(row[0]); got != row[1] {
			t.Errorf("path %s: %s, not %s", row[0], got, row[1])
		}
	}
	var none *Copy
	if none.text("/x") != "/x" || none.path("x") != "x" {
		t.Error("no copy changes nothing")
	}
}
