"use strict";
/* Reads a typed instruction and scores forms by it, as host/isa/typed.c and
 * typed_score.c do, with the names of operands in DATA.typed. */
const Typed = (function () {
	const IN_BRACES = ["k", "z", "bcst", "sae"];
	const ANYWHERE = 64;

	/* A map of names to kinds, of one instruction set. */
	function load(isa) {
		const names = new Map();
		for (const [list, kinds] of isa.names)
			for (const name of list.split(" "))
				if (!names.has(name)) names.set(name, kinds);
		return { names, att: !!isa.att };
	}
	const plain = word => word.replace(/\d+/, "#");
	/* Kinds and the arrangement behind them; null: no operand. */
	function lookup(names, word) {
		const find = w => names.has(w) ? names.get(w)
			: names.has(plain(w)) ? names.get(plain(w)) : null;
		const whole = find(word);
		if (whole !== null || word.length >= 32)
			return whole === null ? null : [whole, "", word];
		const at = word.search(/[./]/);
		if (at <= 0) return null;
		const base = find(word.slice(0, at));
		return base === null ? null
			: [base, word.slice(at), word.slice(0, at)];
	}
	const isNumber = w => /^[-+]?(0x[0-9a-f]+|[0-9][0-9a-f]*)$/.test(w);

	function read(isa, text) {
		const t = { words: [], operands: [], att: false,
			concrete: false };
		const masks = [];
		const s = text.toLowerCase();
		let at = 0, braces = false, list = false, sized = false;
		const add = kinds => {
			sized = /^m\d/.test(kinds);
			t.operands.push(kinds.split(" "));
		};
		function address(closing) {
			const end = s.indexOf(closing, at);
			const inner = s.slice(at, end < 0 ? s.length : end);
			t.att = t.att || inner.includes("%");
			at = end < 0 ? s.length : end + 1;
			t.concrete = true;
			if (!sized) add("m");
			sized = false;
		}
		function isList() {
			const end = s.indexOf(")", at);
			return t.words.length > 0 && !t.operands.length &&
				!list && end >= 0 && !s.slice(end + 1).trim() &&
				!s.slice(at, end).includes("%");
		}
		function operand([kinds, part, name]) {
			if (kinds === "") return;
			/* SVE's z0 in braces has an arrangement, a mask none. */
			if (braces && !part && IN_BRACES.includes(kinds)) {
				masks.push([kinds]);
				return;
			}
			add(kinds);
			const last = t.operands[t.operands.length - 1];
			if (part)
				last[last.length - 1] += part;
			if (!kinds.split(" ").includes(name) && !sized)
				t.concrete = true;
		}
		function word(w) {
			const found = lookup(isa.names, w);
			if (s[at] === ":") return;
			if (s[at] === "(" && t.words.length && !found) return;
			if (s[at] === "(" && found && /\d/.test(s[at + 1] || "")) {
				const end = s.indexOf(")", at);
				at = end < 0 ? s.length : end;
			}
			if (found && (t.words.length || t.operands.length ||
				w.length > 2)) {
				operand(found);
			} else if (t.words.length && isNumber(w)) {
				add("imm");
			} else {
				t.words.push(w);
				sized = false;
			}
		}
		function mark() {
			const c = s[at++];
			if (c === "[" || (c === "(" && !isList()))
				address(c === "[" ? "]" : ")");
			else if (c === "(") list = true;
			else if (c === "{" || c === "}") braces = c === "{";
			else if (c === ",") sized = false;
			else if (c === "%" ||
				(c === "$" && /\d/.test(s[at] || "")))
				t.att = true;
		}
		const ofWord = (k, begin) => /[a-z0-9_./@]/.test(s[k]) ||
			(/[-+]/.test(s[k]) && (k === begin
				? /\d/.test(s[k + 1] || "")
				: /[a-z]/.test(s[k - 1])));
		while (at < s.length) {
			const begin = at;
			while (at < s.length && ofWord(at, begin)) at++;
			if (at > begin) word(s.slice(begin, at));
			else mark();
		}
		t.att = t.att && isa.att;
		t.operands.push(...masks);
		t.raw = s.split(/\s+/).filter(w => w);
		t.both = t.words.length === 2 ? t.words.join(" ") : "";
		return t;
	}

	function admits(a, b) {
		const [short, long] = a.length < b.length ? [a, b] : [b, a];
		const rest = long[short.length];
		return short !== "" && long.startsWith(short) &&
			(rest === undefined || (!/[a-z]/.test(rest) &&
			!(/\d/.test(rest) && /\d/.test(short[short.length - 1]))));
	}
	/* 0: as typed; 1: and others; 2: in another order; -1: no. */
	function operandScore(t, operands) {
		if (!t.operands.length) return 0;
		const [main, masks] = operands.split("|").map(x =>
			x.split(" ").filter(w => w));
		if (t.att) main.reverse();
		const all = main.concat(masks || []);
		const fits = (kinds, x) => kinds.some(k => admits(k, x));
		let k = 0;
		for (const x of all)
			if (k < t.operands.length && fits(t.operands[k], x)) k++;
		if (k === t.operands.length) return all.length === k ? 0 : 1;
		if (t.att || t.concrete) return -1;
		const left = all.slice();
		for (const kinds of t.operands) {
			const i = left.findIndex(x => fits(kinds, x));
			if (i < 0) return -1;
			left.splice(i, 1);
		}
		return 2;
	}
	/* 3: two words that are the mnemonic; 2: the mnemonic; 1: it begins
	 * so; 0. */
	function mnemonicScore(t, mnemonics) {
		const list = mnemonics.split(","), first = t.words[0];
		return t.both && list.includes(t.both) ? 3
			: list.includes(first) ? 2
			: list.some(m => m.startsWith(first)) ? 1 : 0;
	}
	function wordScore(t, found, text) {
		if (!t.words.length || found === 3) return 0;
		for (let i = 1; i < t.words.length; i++)
			if (!text.includes(t.words[i])) return -1;
		if (found === 2 || text.startsWith(t.words[0] + "\t")) return 0;
		if (found === 1 || text.startsWith(t.words[0])) return 1;
		return text.includes(t.words[0]) ? 2 : -1;
	}
	/* A function of a form's mnemonics, operands (indices into words), and
	 * text: its score, 0 is best, -1: it does not fit. */
	function scorer(t, words) {
		const ops = [], names = [];
		return (m, o, text) => {
			if (names[m] === undefined)
				names[m] = mnemonicScore(t, words[m]);
			const w = wordScore(t, names[m], text);
			if (w >= 0 && ops[o] === undefined)
				ops[o] = operandScore(t, words[o]);
			if (w >= 0 && ops[o] >= 0) {
				const name = text.slice(0, text.indexOf("\t"));
				return 8 * w + 2 * ops[o] +
					(name.includes("/") &&
					name !== t.words[0] ? 1 : 0);
			}
			return t.raw.every(x => text.includes(x)) ? ANYWHERE
				: -1;
		};
	}
	/* Edits between two words: insertions, deletions, replacements, swaps. */
	function distance(a, b) {
		let before = [], last = [...Array(b.length + 1).keys()];
		for (let i = 1; i <= a.length; i++) {
			const row = [i];
			for (let k = 1; k <= b.length; k++) {
				row[k] = Math.min(last[k] + 1, row[k - 1] + 1,
					last[k - 1] + (a[i - 1] !== b[k - 1]));
				if (i > 1 && k > 1 && a[i - 1] === b[k - 2] &&
					a[i - 2] === b[k - 1])
					row[k] = Math.min(row[k],
						before[k - 2] + 1);
			}
			before = last;
			last = row;
		}
		return last[b.length];
	}
	/* Up to `most` near words, the nearest first. */
	function near(wanted, words, most) {
		const found = [];
		if (!wanted || wanted.length > 64) return found;
		for (const w of words) {
			if (3 * Math.abs(w.length - wanted.length) >
				wanted.length) continue;
			const d = distance(wanted, w);
			if (3 * d <= wanted.length) found.push([d, w]);
		}
		return found.sort((a, b) => a[0] - b[0]).slice(0, most)
			.map(x => x[1]);
	}
	return { load, read, scorer, near };
})();
