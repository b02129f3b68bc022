/* The table of all forms.  DATA (forms.js) has columns of values; the state of
 * the table is in the URL behind '#', so that it can be linked and the back
 * button works. */
(function () {
	/* Rows at first, which fill a screen, and with each step down. */
	const FIRST = 30, BATCH = 100;
	const FIELDS = [
		["asm", "Assembly"], ["isa", "ISA"], ["ext", "Extension"],
		["width", "Width"], ["l", "Latency"], ["t", "Throughput"],
		["u", "Uops"], ["p", "Ports"], ["v", "Verdict"]];
	const OF_CORE = "ltupv";
	const $ = id => document.getElementById(id);
	const D = DATA, W = D.words, N = D.n.length, C = D.cores;
	const narrow = matchMedia("(max-width: 600px)").matches;
	const few = C.length < 3 && !narrow;
	const USUAL = (few ? "asm l t u p v" : narrow ? "l t" : "asm l t")
		.split(" ");

	/* "1,1:4,,2" to lows and highs; NaN where there is no value. */
	function spans(text) {
		const parts = text.split(","), n = parts.length;
		const low = new Float64Array(n), high = new Float64Array(n);
		for (let i = 0; i < n; i++) {
			const p = parts[i], c = p.indexOf(":");
			if (p === "") low[i] = high[i] = NaN;
			else if (c < 0) low[i] = high[i] = +p;
			else {
				low[i] = +p.slice(0, c);
				high[i] = +p.slice(c + 1);
			}
		}
		return { low, high };
	}
	const PLAIN = { "": 1, ok: 1, model: 1 };
	for (const c of C) {
		for (const k of "ltu")
			c[k] = spans(c[k]);
		c.there = c.l.low.map((x, i) => c.vl[i] >= 0 ||
			c.vt[i] >= 0 || c.p[i] >= 0 || c.u.low[i] >= 0);
	}
	const word = w => w < 0 ? "" : W[w];
	/* All verdicts of a form on a core: "circle, ok". */
	const verdicts = (c, i) => [...new Set((word(c.vl[i]) + "," +
		word(c.vt[i])).split(",").filter(v => v))].join(", ");
	const haystack = D.n.map((n, i) =>
		(n + "\t" + W[D.m[i]] + "\t" + D.a[i]).toLowerCase());
	const operands = {};
	for (const i of new Set(D.i))
		operands[i] = Typed.load(D.typed[W[i]]);

	const escape = s => String(s).replace(/[&<>"']/g, c =>
		"&#" + c.charCodeAt(0) + ";");
	const digits = x => x < 1000 ? String(+x.toPrecision(3)) :
		x.toFixed(0);

	/* ---- state ------------------------------------------------------ */

	let state = {};

	function fromUrl() {
		const p = new URLSearchParams(location.hash.slice(1));
		const list = (k, usual) =>
			p.has(k) ? p.get(k).split(" ").filter(x => x) : usual;
		const cores = list("cores", null);
		state = {
			q: p.get("q") || "", isa: p.get("isa") || "",
			ext: p.get("ext") || "", kind: p.get("kind") || "",
			width: p.get("width") || "",
			verdict: p.get("verdict") || "",
			core: p.get("core") || "", sort: p.get("sort") || "",
			columns: list("columns", USUAL),
			cores: cores ? C.filter(c => cores.includes(c.id)) : C,
		};
	}
	function toUrl() {
		const p = new URLSearchParams();
		for (const k of ["q", "isa", "ext", "kind", "width", "verdict",
			"core", "sort"])
			if (state[k]) p.set(k, state[k]);
		if (state.columns.join(" ") !== USUAL.join(" "))
			p.set("columns", state.columns.join(" "));
		if (state.cores.length !== C.length)
			p.set("cores", state.cores.map(c => c.id).join(" "));
		return "#" + p.toString();
	}
	/* A new entry of the history, but for letters of one search. */
	let typing = 0;
	function push(isTyping) {
		const url = toUrl();
		if (url === (location.hash || "#")) return;
		const now = Date.now();
		if (isTyping && now - typing < 1500)
			history.replaceState(null, "", url);
		else
			history.pushState(null, "", url);
		typing = isTyping ? now : 0;
	}

	/* ---- rows ------------------------------------------------------- */

	let rows = [], shown = 0;

	const has = (list, word) => ("," + list + ",").includes("," + word + ",");

	/* The place among those that programs use most; not among N. */
	const use = i => D.r[i] === undefined ? Infinity : D.r[i];
	/* How well each row fits to the search; smaller is better. */
	const score = new Int16Array(N);
	/* A function of a row: does it fit?  It notes how well. */
	function search() {
		if (!state.q.trim()) return null;
		const of = {};
		for (const i in operands)
			of[i] = Typed.scorer(Typed.read(operands[i], state.q), W);
		return i => {
			score[i] = of[D.i[i]](D.s[i], D.o[i], haystack[i]);
			return score[i] >= 0;
		};
	}
	/* Rows, those that programs use most first, and the place of each.  D.r
	 * is shorter than N if the last rows have no place; without places the
	 * difference is NaN. */
	const byUse = Int32Array.from(D.n, (n, i) => i).sort((a, b) =>
		use(a) - use(b) || a - b);
	const placeOf = new Int32Array(N);
	byUse.forEach((i, place) => { placeOf[i] = place; });
	/* Those that fit best first, of these those that programs use most.
	 * Numbers in an array of numbers are sorted without a function. */
	function ranked(list) {
		return [...Float64Array.from(list, i => score[i] * N + placeOf[i])
			.sort()].map(key => byUse[key % N]);
	}
	/* Searches that would find something. */
	function near() {
		const words = new Set();
		for (const i of new Set(D.s))
			for (const m of W[i].split(","))
				if (m) words.add(m);
		const first = Typed.read(Object.values(operands)[0], state.q)
			.words[0];
		if (words.has(first)) return [first];
		for (const n of D.n) words.add(n.toLowerCase());
		return Typed.near(first, words, 5);
	}
	function filtered() {
		const fits = search();
		const core = C.find(c => c.id === state.core);
		const cores = core ? [core] : state.cores;
		const out = [];
		const test = (of, word) => {
			if (!word) return null;
			const want = word === "-" ? "" : word;
			return W.map(w => want === "" ? w === "" : has(w, want));
		};
		const isa = test(0, state.isa), ext = test(0, state.ext);
		const kind = test(0, state.kind);
		const verdict = test(0, state.verdict);
		for (let i = 0; i < N; i++) {
			if (isa && !isa[D.i[i]]) continue;
			if (ext && !ext[D.e[i]]) continue;
			if (kind && !kind[D.k[i]]) continue;
			if (state.width && D.w[i] !== +state.width) continue;
			if (core && !core.there[i]) continue;
			if (verdict && !cores.some(c =>
				verdict[c.vl[i]] || verdict[c.vt[i]])) continue;
			if (fits && !fits(i)) continue;
			out.push(i);
		}
		return fits ? ranked(out) : out;
	}
	const text = { name: i => D.n[i], asm: i => D.a[i],
		isa: i => W[D.i[i]], ext: i => W[D.e[i]] };
	/* The key of a row for a column, a number or a text. */
	function keyOf(column) {
		const [id, at] = column.split("@");
		const c = C.find(x => x.id === at);
		if (id === "width") return i => D.w[i];
		if (text[id]) return text[id];
		if (!c) return null;
		if (id === "p") return i => word(c.p[i]);
		if (id === "v") return i => verdicts(c, i);
		return i => c[id].high[i];
	}
	function sorted(list) {
		const down = state.sort.startsWith("-");
		const key = state.sort && keyOf(state.sort.slice(down ? 1 : 0));
		if (!key) return list;
		const keys = new Map(list.map(i => [i, key(i)]));
		const sign = down ? -1 : 1;
		/* Rows without a value are last either way. */
		const none = k => k !== k || k === "";
		return list.sort((a, b) => {
			const x = keys.get(a), y = keys.get(b);
			if (none(x) || none(y))
				return none(x) - none(y) || a - b;
			return (x < y ? -sign : x > y ? sign : a - b);
		});
	}
	function span(s, i) {
		const l = s.low[i], h = s.high[i];
		if (l !== l) return "\u2013";
		return h - l <= 0.05 * h ? digits((l + h) / 2)
			: digits(l) + "\u2013" + digits(h);
	}
	function link(i) {
		const file = D.f[i] || D.n[i].replace(/\//g, ".");
		return "form/" + encodeURIComponent(W[D.i[i]]) + "/" +
			encodeURIComponent(file) + ".html";
	}
	function coreCell(c, f, i) {
		if (f === "p")
			return "<td>" + (escape(word(c.p[i])) || "\u2013") +
				"</td>";
		if (f === "v") {
			const v = verdicts(c, i);
			const k = v === "ok" ? "ok" : v === "model" ? "soft"
				: "doubt";
			return '<td class="v ' + k + '">' +
				escape(v) + "</td>";
		}
		const v = f === "l" ? word(c.vl[i])
			: f === "t" ? word(c.vt[i]) : "";
		if (PLAIN[v])
			return '<td class="n">' + span(c[f], i) + "</td>";
		return '<td class="n" title="' + escape(v) + '">' +
			span(c[f], i) + '<span class="doubt">*</span></td>';
	}
	function row(i) {
		const on = f => state.columns.includes(f);
		let t = '<tr><th scope="row"><a href="' + link(i) + '">' +
			escape(D.n[i]) + "</a></th>";
		if (on("asm")) t += '<td class="asm code">' + escape(D.a[i]) +
			"</td>";
		if (on("isa")) t += "<td>" + escape(W[D.i[i]]) + "</td>";
		if (on("ext")) t += "<td>" +
			escape(W[D.e[i]].replace(/,/g, ", ")) + "</td>";
		if (on("width")) t += '<td class="n">' + (D.w[i] || "") +
			"</td>";
		for (const c of state.cores)
			for (const f of OF_CORE)
				if (on(f)) t += coreCell(c, f, i);
		return t + "</tr>";
	}
	function more() {
		const end = Math.min(shown + (shown ? BATCH : FIRST),
			rows.length);
		let t = "";
		for (let k = shown; k < end; k++) t += row(rows[k]);
		$("rows").insertAdjacentHTML("beforeend", t);
		shown = end;
		$("more").hidden = shown >= rows.length;
	}
	const end = new IntersectionObserver(entries => {
		if (shown < rows.length && entries.some(x => x.isIntersecting))
			more();
	});
	function show() {
		rows = sorted(filtered());
		shown = 0;
		$("rows").textContent = "";
		$("scroll").scrollTop = 0;
		const meant = rows.length || !state.q.trim() ? [] : near();
		$("count").innerHTML = rows.length.toLocaleString("en") +
			" of " + N.toLocaleString("en") + " forms" +
			(meant.length ? "; did you mean " : "") +
			meant.map(w => '<button type="button" data-q="' +
				escape(w) + '">' + escape(w) + "</button>")
				.join(" ");
		more();
		/* Observed again, it tells where it is. */
		end.unobserve($("more"));
		end.observe($("more"));
	}

	/* ---- head and controls ------------------------------------------ */

	function headCell(id, name, span) {
		const down = state.sort === "-" + id, up = state.sort === id;
		return '<th scope="col"' + (span || "") +
			(down || up ? ' aria-sort="' +
			(up ? "ascending" : "descending") + '"' : "") +
			'><button type="button" data-sort="' + escape(id) + '">' +
			name + (up ? " \u25b2" : down ? " \u25bc" : "") +
			"</button></th>";
	}
	function head() {
		const on = FIELDS.filter(f => state.columns.includes(f[0]));
		const of = on.filter(f => OF_CORE.includes(f[0]));
		const rest = on.filter(f => !OF_CORE.includes(f[0]));
		let t = "<tr>" + [["name", "Form"], ...rest].map(f =>
			headCell(f[0], f[1], ' rowspan="2"')).join("");
		for (const c of of.length ? state.cores : [])
			t += '<th class="core" scope="colgroup" colspan="' +
				of.length + '"><a href="core/' +
				encodeURIComponent(c.id) + '.html">' +
				escape(c.name) + "</a></th>";
		t += "</tr><tr>";
		for (const c of state.cores)
			for (const f of of)
				t += headCell(f[0] + "@" + c.id, f[1]);
		$("head").innerHTML = t + "</tr>";
	}
	function box(name, id, title, checked) {
		return '<label><input type="checkbox" name="' + name +
			'" value="' + escape(id) + '"' +
			(checked ? " checked" : "") + ">" + escape(title) +
			"</label>";
	}
	function controls() {
		for (const k of ["q", "isa", "ext", "kind", "width", "verdict",
			"core"])
			if ($(k).value !== state[k]) $(k).value = state[k];
		for (const b of document.querySelectorAll("#choose input"))
			b.checked = b.name === "column"
				? state.columns.includes(b.value)
				: state.cores.some(c => c.id === b.value);
	}
	function select(id, values, label) {
		$(id).innerHTML = '<option value="">any</option>' +
			values.map(v => '<option value="' + escape(v) + '">' +
				escape(label ? label(v) : v) +
				"</option>").join("");
		$(id).parentNode.hidden = values.length < 2;
	}
	const each = (column, cut) => {
		const set = new Set();
		for (const w of new Set(column))
			if (w >= 0)
				for (const x of cut ? W[w].split(",") : [W[w]])
					set.add(x === "" ? "-" : x);
		return [...set].sort();
	};
	function begin() {
		const all = new Set(C.flatMap(c =>
			[...each(c.vl, true), ...each(c.vt, true)]));
		select("isa", each(D.i));
		select("ext", each(D.e, true), v => v === "-" ? "base" : v);
		select("kind", each(D.k, true), v => v === "-" ? "none" : v);
		select("width", [...new Set(D.w)].filter(w => w)
			.sort((a, b) => a - b));
		select("verdict", [...all].sort());
		select("core", C.map(c => c.id),
			id => C.find(c => c.id === id).name);
		$("cores").insertAdjacentHTML("beforeend", C.map(c =>
			box("core", c.id, c.name, true)).join(""));
		$("columns").insertAdjacentHTML("beforeend", FIELDS.map(f =>
			box("column", f[0], f[1], false)).join(""));
	}
	function all() {
		head();
		controls();
		show();
	}
	function change(isTyping) {
		push(isTyping);
		all();
	}

	begin();
	fromUrl();
	all();
	/* The first search compiles what the later ones run: do one before
	 * somebody types. */
	(window.requestIdleCallback || setTimeout)(() => {
		const q = state.q;
		for (const text of ["v", "add r64"]) {
			state.q = text;
			filtered();
		}
		state.q = q;
	});
	$("q").addEventListener("input", () => {
		state.q = $("q").value;
		push(true);
		show();
	});
	for (const k of ["isa", "ext", "kind", "width", "verdict", "core"])
		$(k).addEventListener("change", () => {
			state[k] = $(k).value;
			change();
		});
	$("choose").addEventListener("change", () => {
		const on = name => [...document.querySelectorAll(
			'#choose input[name="' + name + '"]:checked')]
			.map(b => b.value);
		const cores = on("core");
		state.columns = on("column");
		state.cores = C.filter(c => cores.includes(c.id));
		change();
	});
	$("head").addEventListener("click", event => {
		const b = event.target.closest("button");
		if (!b) return;
		const id = b.dataset.sort;
		state.sort = state.sort === id ? "-" + id
			: state.sort === "-" + id ? "" : id;
		change();
		for (const x of $("head").querySelectorAll("button"))
			if (x.dataset.sort === id) x.focus();
	});
	$("reset").addEventListener("click", () => {
		history.pushState(null, "", "#");
		fromUrl();
		all();
	});
	$("count").addEventListener("click", event => {
		if (event.target.dataset.q === undefined) return;
		state.q = event.target.dataset.q;
		change();
	});
	$("more").firstChild.addEventListener("click", more);
	addEventListener("popstate", () => { fromUrl(); all(); });
	addEventListener("hashchange", () => { fromUrl(); all(); });
	addEventListener("keydown", event => {
		const t = document.activeElement.tagName;
		if (event.key === "/" && t !== "INPUT" && t !== "SELECT") {
			event.preventDefault();
			$("q").focus();
		}
	});
})();
