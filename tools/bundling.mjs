// esbuild options for code that runs in Node: shared by dist/, the executable and the tests.

/** They load compiled code from their own folders. */
export const native = ['better-sqlite3', '@node-rs/argon2', 'onnxruntime-node']

/** Entry points of threads and processes: the code of each, by the name under which src/executable.ts starts it. */
export const threads = {
  renderers: 'src/modules/pages/rendering/renderers.ts',
  reading: 'src/connectors/reading.ts',
  thread: 'src/search/worker/thread.ts',
  importers: 'src/modules/importers.ts',
  host: 'src/sandbox/host.ts',
  encoder: 'src/search/encoder/host.ts',
}

/** Limits zod's message languages to English, the only one used; the others would be loaded at every start. */
const englishOnly = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
}

export const forNode = {
  bundle: true,
  plugins: [englishOnly],
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' }, // its main file loads its parts in a way that no bundler follows
  keepNames: true, // names of errors are shown and looked at; see withoutSpareNames and namedCheaply
  logLevel: 'warning',
  // packages that are CommonJS internally need require, which modules do not have
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
}

/**
 * An ASCII-only script: V8 stores it in half the memory. esbuild leaves other characters only in regular expressions,
 * where escapes are equivalent.
 */
function inAscii(script) {
  return script.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Minification options for scripts: names are kept, as otherwise each function would have to be assigned its name at
 * every start.
 */
export const small = { minifySyntax: true, minifyWhitespace: true }

/** Calls with which `keepNames` sets a name that a function or class has anyway. */
const spareNames = [
  [/\b(class\s+([\w$]+)(?:\s+extends\s+[\w$.]+)?\{)\s*static\{__name\(this,\s*"\2"\)\}/g, '$1'],
  [
    /(?<![\w$.])(([\w$]+)=class(?:\s+extends\s+[\w$.]+)?\{)\s*static\{__name\(this,\s*"\2"\)\}/g,
    '$1',
  ],
  [/(?<=[;{}]\s*)__name\(([\w$]+),\s*"\1"\)(?:;|(?=\}))/g, ''],
  [/\b__name\(([\w$]+),\s*"\1"\),/g, ''],
  [/,\s*__name\(([\w$]+),\s*"\1"\)/g, ''],
]

/**
 * An unminified script without the redundant calls: 17,000 of 25,000, for each of which V8 would copy the layout of a
 * function.
 */
function withoutSpareNames(script) {
  return spareNames.reduce((text, [spare, kept]) => text.replace(spare, kept), script)
}

const nameHelper = /=\((\w+),(\w+)\)=>(\w+)\(\1,"name",\{(?:value:)?\2,configurable:!0\}\)/g

/**
 * A minified script without the `keepNames` calls for arrow functions: setting a name costs more than most closures
 * of a request do. Everything with a prototype, especially classes, keeps its name.
 */
function namedCheaply(script) {
  return script.replace(
    nameHelper,
    '=($1,$2)=>Object.hasOwn($1,"prototype")?$3($1,"name",{value:$2,configurable:!0}):$1',
  )
}

/** Post-processes a bundled script before it is written. */
export function finished(script) {
  return inAscii(namedCheaply(withoutSpareNames(script)))
}
