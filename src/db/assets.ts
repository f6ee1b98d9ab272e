// Files read at run time. When running from sources they are in place; `npm run build` copies them to dist/assets,
// beside the bundle; the executable embeds them.

import { existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { heldFile, heldIn, isExecutable } from '../executable.ts'

const isBundled = import.meta.url.endsWith('.mjs')

/** File names in dist/assets, with their locations in the sources. */
const assetSources = {
  'schema.sql': () => new URL('../../schema.sql', import.meta.url),
  'sqlite.sql': () => new URL('./sqlite.sql', import.meta.url),
  'postgres.sql': () => new URL('./postgres/postgres.sql', import.meta.url),
  'static-256.wse': () => new URL('../search/table/static-256.wse', import.meta.url),
  'encoder/': () => new URL('../search/encoder/model/', import.meta.url),
  'common-passwords.txt': () => new URL('../identity/common-passwords.txt', import.meta.url),
  'migrations/': () => new URL('./migrations/', import.meta.url),
  'swagger-ui-bundle.js': () => packageFileUrl('swagger-ui-dist/swagger-ui-bundle.js'),
  'swagger-ui.css': () => packageFileUrl('swagger-ui-dist/swagger-ui.css'),
}

export type Asset = keyof typeof assetSources

/** All assets, for the build to copy. */
export const assetNames = Object.keys(assetSources) as Asset[]

/** Files of a folder and its subfolders, by relative path. */
export interface Files {
  has(path: string): boolean
  /** Sorted. */
  paths(): string[]
  read(path: string): Buffer
}

/** Reads files of a folder on disk; `folder`: with a slash at its end. */
export function filesOnDisk(folder: URL): Files {
  return {
    has: (path) => existsSync(new URL(path, folder)),
    paths: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((dirent) => dirent.isFile())
        .map((dirent) =>
          pathToFileURL(`${dirent.parentPath}/${dirent.name}`).href.slice(folder.href.length),
        )
        .sort(),
    read: (path) => readFileSync(new URL(path, folder)),
  }
}

function embeddedFiles(folder: string): Files {
  return {
    has: (path) => heldIn(folder).includes(path),
    paths: () => heldIn(folder),
    read: (path) => heldFile(folder + path),
  }
}

/** The web app. */
export const builtWeb: Files = builtFiles('web/')

/** The views for MCP hosts, one page each. */
export const builtApps: Files = builtFiles('apps/')

/** Build output in a folder beside the bundle, or in dist/ of the sources. */
function builtFiles(folder: `${string}/`): Files {
  if (isExecutable) return embeddedFiles(folder)
  return filesOnDisk(new URL(isBundled ? `./${folder}` : `../../dist/${folder}`, import.meta.url))
}

/** The URL of a file, or of a folder with a slash at the end; for the build. */
export function assetUrl(name: Asset): URL {
  return isBundled ? new URL(`./assets/${name}`, import.meta.url) : assetSources[name]()
}

/** The content of a file; must not be modified. */
export function assetBytes(name: Asset): Buffer {
  return isExecutable ? heldFile(`assets/${name}`) : readFileSync(assetUrl(name))
}

export function assetText(name: Asset): string {
  return assetBytes(name).toString()
}

/** The files of a folder. */
export function assetsIn(folder: Asset & `${string}/`): Files {
  return isExecutable ? embeddedFiles(`assets/${folder}`) : filesOnDisk(assetUrl(folder))
}

/** A file for a library that loads it by itself: its path, or its content in the executable. */
export function loadableFile(folder: Asset & `${string}/`, path: string): string | Uint8Array {
  return isExecutable
    ? heldFile(`assets/${folder}${path}`)
    : fileURLToPath(new URL(path, assetUrl(folder)))
}

/** Reads parts of a file into buffers; the rest is not loaded, neither from disk nor from the executable. */
export function readerOf(
  folder: Asset & `${string}/`,
  path: string,
): (target: Uint8Array, position: number) => void {
  if (isExecutable) {
    const file = heldFile(`assets/${folder}${path}`)
    return (target, position) => target.set(file.subarray(position, position + target.length))
  }
  const descriptor = openSync(new URL(path, assetUrl(folder)), 'r')
  return (target, position) => {
    if (readSync(descriptor, target, 0, target.length, position) < target.length)
      throw new Error(`${folder}${path} is shorter than it should be.`)
  }
}

function packageFileUrl(file: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(file))
}
