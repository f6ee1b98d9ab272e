// The prompts' recipes as skills (SEP-2640): files that an assistant loads when needed, under their own addresses.

import { createHash } from 'node:crypto'
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server'
import type { App } from '../../operations/app.ts'
import { skillFrontmatter, skillText } from '../../operations/skills.ts'
import type { Caller } from '../caller.ts'
import { promptsFor } from './prompts.ts'

/** Capability announced by the server. */
export const skillsExtension = { 'io.modelcontextprotocol/skills': {} }

/** Skills change with the version and with the key. */
const cacheHints = { ttlMs: 5 * 60_000, cacheScope: 'private' as const }
const scheme = 'skill://'
const mimeType = 'text/markdown'

interface SkillEntry {
  uri: string
  frontmatter: { name: string; description: string; 'allowed-tools': string }
  resources: { uri: string; digest: string; size: number }[]
}

interface SkillFile {
  entry: SkillEntry
  text: string
}

/**
 * Answers skills/list: like the list of prompts it contains no personal data. There is one page. @throws
 * ProtocolError for a cursor
 */
export function listSkills(app: App, caller: Caller, { cursor }: { cursor?: string | undefined }) {
  if (cursor !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor: there is one page only.')
  return { ...cacheHints, skills: skillsFor(app, caller).map(({ entry }) => entry) }
}

/** Answers skills/get. @throws ProtocolError if the skill is unavailable to this caller */
export function getSkill(app: App, caller: Caller, { uri }: { uri: string }) {
  return { ...cacheHints, skill: requireSkill(app, caller, uri).entry }
}

/** The files of the skills as resources, for hosts that do not support skills. */
export function skillResources(app: App, caller: Caller): Resource[] {
  return skillsFor(app, caller).map(({ entry }) => ({
    uri: entry.uri,
    name: entry.frontmatter.name,
    description: entry.frontmatter.description,
    mimeType,
  }))
}

/** Whether an address has the form of a skill file address. */
export function isSkillAddress(uri: string): boolean {
  return uri.startsWith(scheme)
}

/** The file of a skill. @throws ProtocolError if it is unavailable to this caller */
export function readSkill(app: App, caller: Caller, uri: string): ReadResourceResult {
  const { text } = requireSkill(app, caller, uri)
  return { contents: [{ uri, mimeType, text }] }
}

function requireSkill(app: App, caller: Caller, uri: string): SkillFile {
  const skills = skillsFor(app, caller)
  const skill = skills.find(({ entry }) => entry.uri === uri)
  if (skill) return skill
  const available = skills.map(({ entry }) => entry.uri).join(', ') || 'none for this key'
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `uri: there is no such skill. Available: ${available}.`,
    { uri: uri.slice(0, 2000) },
  )
}

/** Skills whose prompts are offered to the connection: it may call every operation with which they read. */
function skillsFor(app: App, caller: Caller): SkillFile[] {
  return promptsFor(app, caller).flatMap((prompt) => {
    const { skill } = prompt
    if (!skill) return []
    const uri = `${scheme}workspace/${skill.name}/SKILL.md`
    const text = skillText(prompt, skill)
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
    const resources = [{ uri, digest, size: Buffer.byteLength(text) }]
    return [{ entry: { uri, frontmatter: skillFrontmatter(prompt, skill), resources }, text }]
  })
}
