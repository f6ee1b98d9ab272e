// Files that the program reads while it runs. From sources they lie where they are kept; `npm run build` lays copies into
// dist/assets, beside the bundle that this becomes part of.

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const isBundled = import.meta.url.endsWith('.mjs')

/** What each is called in dist/assets, and where it is kept. */
const kept = {
  'schema.sql': () => new URL('../../schema.sql', import.meta.url),
  'sqlite.sql': () => new URL('./sqlite.sql', import.meta.url),
  'static-256.wse': () => new URL('../search/table/static-256.wse', import.meta.url),
  'common-passwords.txt': () => new URL('../keys/common-passwords.txt', import.meta.url),
  'migrations/': () => new URL('./migrations/', import.meta.url),
  'swagger-ui-bundle.js': () => ofPackage('swagger-ui-dist/swagger-ui-bundle.js'),
  'swagger-ui.css': () => ofPackage('swagger-ui-dist/swagger-ui.css'),
}

export type Asset = keyof typeof kept

/** Where the build leaves the web app: beside the bundle, or in dist/ of the sources. */
export const webFolder = isBundled ? new URL('./web/', import.meta.url) : new URL('../../dist/web/', import.meta.url)

/** All of them, for the build to copy. */
export const assets = Object.keys(kept) as Asset[]

/** Where a file, or a folder with a slash at the end, is to be read from. */
export function assetUrl(name: Asset): URL {
  return isBundled ? new URL(`./assets/${name}`, import.meta.url) : kept[name]()
}

function ofPackage(file: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(file))
}
