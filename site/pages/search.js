// The search of the site. Its index is a file of the site, which is loaded when the
// field is used for the first time; it works from a disk, too.
"use strict";

(() => {
  const up = document.body.dataset.up, field = document.getElementById("search"), found = document.getElementById("found");
  let loading = null;

  if (innerWidth > 820) document.querySelector(".menu").open = true;

  const load = () => (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = up + "search-index.js";
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  }));

  // score is how well a section answers the words, 0 where it has not all of them.
  function score(s, words) {
    const page = s.p.toLowerCase(), heading = s.h.toLowerCase(), text = s.x.toLowerCase();
    let sum = 0;
    for (const w of words) {
      const n = (heading.includes(w) ? 20 : 0) + (heading === w ? 30 : 0) + (page.includes(w) ? 8 : 0) + Math.min(text.split(w).length - 1, 5);
      if (n === 0) return 0;
      sum += n;
    }
    return sum;
  }

  function excerpt(s, word) {
    const at = Math.max(0, s.x.toLowerCase().indexOf(word) - 40);
    return (at ? "…" : "") + s.x.slice(at, at + 120) + (s.x.length > at + 120 ? "…" : "");
  }

  async function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return show([]);
    await load();
    const best = window.SCENARIO_SECTIONS.map((s) => [score(s, words), s]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
    const items = best.map(([, s]) => {
      const li = document.createElement("li"), a = document.createElement("a"), small = document.createElement("small");
      a.href = up + s.u;
      a.textContent = s.h === s.p ? s.p : `${s.p}: ${s.h}`;
      small.textContent = excerpt(s, words[0]);
      a.append(small);
      li.append(a);
      return li;
    });
    if (items.length === 0) {
      const li = document.createElement("li");
      li.textContent = "Nothing was found.";
      items.push(li);
    }
    show(items);
  }

  function show(items) {
    found.replaceChildren(...items);
    found.hidden = items.length === 0;
    field.setAttribute("aria-expanded", String(items.length > 0));
  }

  field.addEventListener("focus", load);
  field.addEventListener("input", search);
  field.closest(".search").addEventListener("keydown", (e) => {
    const links = [...found.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (e.key === "Escape") { show([]); field.focus(); }
    else if (e.key === "ArrowDown" && links.length) links[Math.min(at + 1, links.length - 1)].focus();
    else if (e.key === "ArrowUp" && at >= 0) (links[at - 1] ?? field).focus();
    else if (e.key === "Enter" && at < 0 && links.length) links[0].click();
    else return;
    e.preventDefault();
  });
  document.addEventListener("click", (e) => { if (!e.target.closest(".search")) show([]); });
})();
