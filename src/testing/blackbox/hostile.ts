// Texts and values that break whoever builds a query, a path, a header or a template of them, or trusts their type.

/** Texts by what they attack. */
export const hostileTexts: Record<string, readonly string[]> = {
  sql: [
    `'; DROP TABLE tasks; --`, `' OR '1'='1`, `" OR 1=1 --`, `1 OR 1=1`, `') OR ('1'='1`, `' UNION SELECT name FROM sqlite_master --`, `x' AND randomblob(100000000)='`,
    `%_%`, `%`, `_`, `\\`, `\\' OR 1=1 --`, `?1`, `:name`, `$1`, `CHAR(39)`, `0x27`, `' || (SELECT secret_hash FROM api_keys) || '`, `;ATTACH DATABASE '/tmp/x' AS x`, `load_extension('x')`,
  ],
  fts: [
    '"', '""', '(', ')', 'AND', 'OR', 'NOT', 'AND OR NOT', 'NEAR(a b)', 'NEAR(a b, 5', 'title:*', '*', '**', 'a*', '-a', '+', '^x', '{a b}:c', '{', 'x:y:z', 'rowid:1', 'a AND', '"a', `'`,
    'search_docs MATCH x', '. . .', 'NOT NOT', '- -', 'col : (x)',
  ],
  path: ['../../etc/passwd', '..', '.', '../', '..%2f..%2fetc%2fpasswd', '%2e%2e%2f', '..\\..\\windows', '/etc/passwd', 'file:///etc/passwd', 'x/../../api/me', '....//', 'x;a=b', 'x?limit=1', 'x#y', '%00', '%', '%zz', 'CON', '~root'],
  prototype: ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'constructor.prototype', '__proto__.isAdmin', 'valueOf', '[object Object]'],
  crlf: ['\r\nX-Injected: 1', 'x\r\n\r\n<html>', '%0d%0aX-Injected: 1', '\nSet-Cookie: a=b', 'x\u2028y', '\u0085X-Injected: 1', 'x\ty', '嘊嘍X-Injected: 1'],
  template: ['{{7*7}}', '${7*7}', '#{7*7}', '<%= 7*7 %>', '{{constructor.constructor("return process")()}}', '{% for x in y %}', '{{', '@{x}', '$(id)', '`id`', '| id', '; id', '%s%s%n', '{0}', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', 'javascript:alert(1)', '<!--#exec cmd="id"-->', '=cmd|x!A0'],
  unicode: ['a\0b', '\ud800', '\udc00x', '\u202e\u200b', '\ufeff', '\u{e0041}', 'İ', 'ß', 'ﬀ', '👩‍👩‍👧', 'e\u0301', '\u0000', '\u001b[31m', '\uffff', '𝕏'.repeat(40)],
  name: ['me', '@', '#general', 'ENG-1', '-1', '0', '9999999999999999999', '2026-13-45', '2026-02-30T25:61:61Z', 'null', 'undefined', 'NaN', 'true', '[]', '{}', '[object Object]', 'tsk_00000000000000000000000000', 'usr_', 'https://user:pass@example.com', 'http://127.0.0.1', 'x'.repeat(600), 'x'.repeat(5000)],
}

/** Texts that reach into the query of a search or of the database, or out of their place elsewhere. */
export const injections: readonly string[] = ['sql', 'fts', 'path', 'prototype', 'crlf', 'template'].flatMap(group => hostileTexts[group]!)

/** Values that no argument expects, or that break naive handling of the one that does. */
export const oddValues: readonly unknown[] = [
  0, -1, 1.5, 1e308, -0, 2 ** 53, true, false, null, '', ' ', [], {}, [null], [[]], [[[[[[[[]]]]]]]], { a: { b: [] } }, { $gt: '' }, { length: -1 }, { toString: 1 }, { then: 'x' }, ['x', 1, null], Array(300).fill('x'),
  ...Object.values(hostileTexts).flat(),
]

const deep = '['.repeat(100_000) + ']'.repeat(100_000)

/** Bodies that are no object of JSON, or one that must not be taken. */
export const oddBodies: readonly string[] = [
  '', 'null', '1', '"x"', '[]', '{', '{"a":1,}', '{"a":1,"a":2}', '{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{}}}', deep, `{"a":${deep}}`, '\ufeff{}', '{"a":NaN}', '{"a":1e999}', `{'a':1}`, '{}{}', '<xml/>',
  '{"a":"\\ud800"}', '{"a":"\\u0000"}', '{"a":01}', '{"a":+1}', '{"a":.5}', '{"a":0x1}', '{"a":"\t"}', '//x\n{}', '{"\\u005f_proto__":1}', '[1,2', 'nul', '{"a":123456789012345678901234567890}', `{"a":[${'0,'.repeat(60_000)}0]}`,
]
