// Finds the invisible elements of a message. Text hidden from people is withheld from models, too: newsletters use it to
// fill previews, and attackers to place words that only a machine would read.

import { attribute, textIn, type HtmlNode } from './hast.ts'

type Declarations = Record<string, string>

/** Style of an element, including inherited values. */
export interface Surroundings {
  background: Colour | undefined
  colour: Colour | undefined
}

type Colour = readonly [number, number, number]

/** Declarations of the simple selectors of a message: `.name`, `#name`, `tag`, `tag.name`. */
export class Styles {
  #rules = new Map<string, Declarations>()

  constructor(root: HtmlNode) {
    for (const sheet of sheetsIn(root)) this.#addRules(sheet)
  }

  /** Declarations for an element: by its tag, classes, id and style attribute; later ones override earlier ones. */
  declarationsFor(node: HtmlNode): Declarations {
    const tag = node.tagName!
    const names = attribute(node, 'className')
      .split(/\s+/)
      .filter((name) => name !== '')
      .slice(0, 20)
    const id = attribute(node, 'id')
    const inlineStyle = attribute(node, 'style')
    if (this.#rules.size === 0)
      return inlineStyle === '' ? noDeclarations : declarationsIn(inlineStyle)
    const all = [
      tag,
      ...names.map((name) => `.${name}`),
      ...names.map((name) => `${tag}.${name}`),
      ...(id === '' ? [] : [`#${id}`]),
    ]
    return Object.assign(
      {},
      ...all.map((selector) => this.#rules.get(selector)),
      inlineStyle === '' ? noDeclarations : declarationsIn(inlineStyle),
    )
  }

  #addRules(sheet: string): void {
    for (const [, selectors, body] of withoutConditions(sheet).matchAll(
      /([^{}]{1,2000})\{([^{}]{0,5000})\}/g,
    ))
      for (const selector of selectors!.split(',').map((part) => part.trim()))
        if (
          /^([a-z][a-z0-9]*)?([.#][\w-]+)?$/i.test(selector) &&
          selector !== '' &&
          this.#rules.size < 2_000
        )
          this.#rules.set(selector, { ...this.#rules.get(selector), ...declarationsIn(body!) })
  }
}

const noDeclarations: Declarations = {}

/** Style sheets without comments and media-dependent rules. */
function withoutConditions(sheet: string): string {
  let depth = 0
  let from: number | undefined
  let plainCss = ''
  const css = sheet
    .slice(0, 300_000)
    .replaceAll(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|<!--|-->/g, '')
    .replaceAll(/@(?:import|charset|namespace)[^;{]*;/g, '')
  for (let i = 0; i < css.length; i++) {
    if (css[i] === '@' && from === undefined) {
      from = i
      depth = 0
    }
    if (from === undefined) plainCss += css[i]
    else if (css[i] === '{') depth++
    else if (css[i] === '}' && --depth <= 0) from = undefined
  }
  return plainCss
}

function* sheetsIn(node: HtmlNode): Generator<string> {
  if (node.tagName === 'style') yield textIn(node)
  else for (const child of node.children ?? []) yield* sheetsIn(child)
}

const relevantProperties =
  /^(display|visibility|opacity|font-size|max-height|height|max-width|width|overflow|overflow-y|mso-hide|text-indent|position|left|top|color|background|background-color|background-image|clip|clip-path|transform|border|border-top|border-style|border-top-style)$/

function declarationsIn(style: string): Declarations {
  const declarations: Declarations = {}
  for (const declaration of style.slice(0, 5_000).split(';')) {
    const at = declaration.indexOf(':')
    const name = declaration.slice(0, at).trim().toLowerCase()
    if (at > 0 && relevantProperties.test(name))
      declarations[name] = declaration
        .slice(at + 1)
        .replace(/!important/i, '')
        .trim()
        .toLowerCase()
  }
  return declarations
}

/** Surroundings for the children of an element. A background picture or an unknown colour counts as any colour. */
export function innerSurroundings(
  node: HtmlNode,
  declared: Declarations,
  outer: Surroundings,
): Surroundings {
  const backgroundText =
    declared['background-color'] ?? declared.background ?? attribute(node, 'bgColor')
  const hasPicture =
    /url\(|gradient/.test(`${declared.background ?? ''}${declared['background-image'] ?? ''}`) ||
    attribute(node, 'background') !== ''
  const isInherited =
    backgroundText === '' || /^(transparent|inherit|initial|none|unset)\b/.test(backgroundText)
  const plainBackground = isInherited ? outer.background : colourOf(backgroundText)
  const colourText = declared.color ?? (node.tagName === 'font' ? attribute(node, 'color') : '')
  return {
    background: hasPicture ? undefined : plainBackground,
    colour: colourText === '' || colourText === 'inherit' ? outer.colour : colourOf(colourText),
  }
}

/** Whether an element and its content are invisible. */
export function isHidden(node: HtmlNode, declared: Declarations): boolean {
  if (node.properties?.hidden === true) return true
  const isClipped = /^(hidden|clip)/.test(declared.overflow ?? declared['overflow-y'] ?? '')
  const isSmall = (name: string, maxSize = 0) =>
    declared[name] !== undefined && cssPixelsOf(declared[name]) <= maxSize
  return (
    /^none\b/.test(declared.display ?? '') ||
    /^(hidden|collapse)\b/.test(declared.visibility ?? '') ||
    (declared.opacity !== undefined && Number.parseFloat(declared.opacity) <= 0.05) ||
    /^all\b/.test(declared['mso-hide'] ?? '') ||
    (isClipped &&
      (isSmall('max-height', 1) ||
        isSmall('height', 1) ||
        isSmall('max-width', 1) ||
        isSmall('width', 1))) ||
    (declared['text-indent'] !== undefined && cssPixelsOf(declared['text-indent']) < -500) ||
    (/^(absolute|fixed)/.test(declared.position ?? '') &&
      ['left', 'top'].some(
        (side) => declared[side] !== undefined && cssPixelsOf(declared[side]) < -500,
      )) ||
    /^rect\(0/.test(declared.clip ?? '') ||
    /scale\(0(\.0+)?\)/.test(declared.transform ?? '')
  )
}

/** Whether text in it is too small to read. Pictures are unaffected. */
export function isTiny(declared: Declarations): boolean | undefined {
  return declared['font-size'] === undefined ? undefined : cssPixelsOf(declared['font-size']) <= 1.5
}

/** Whether text has the colour of its background. */
export function isInvisible({ background, colour }: Surroundings): boolean {
  return (
    background !== undefined &&
    colour !== undefined &&
    background.every((value, i) => Math.abs(value - colour[i]!) <= 8)
  )
}

/** Approximate pixels; Infinity if unknown. */
function cssPixelsOf(value: string): number {
  const match = /^(-?[\d.]+)(px|pt|em|rem|%|vw|vh)?/.exec(value)
  if (!match) return Infinity
  const pixelsPerUnit =
    { px: 1, pt: 1.33, em: 16, rem: 16, '%': 0.16, vw: 8, vh: 8 }[match[2] ?? 'px'] ?? 1
  return Number(match[1]) * pixelsPerUnit
}

const namedColours: Record<string, Colour> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  whitesmoke: [245, 245, 245],
  ghostwhite: [248, 248, 255],
}

function colourOf(value: string): Colour | undefined {
  const text = value.trim().toLowerCase()
  const name = /^[a-z]+/.exec(text)?.[0]
  if (name && namedColours[name]) return namedColours[name]
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})\b/.exec(text)?.[1]
  if (hex) return [channelOf(hex, 0), channelOf(hex, 1), channelOf(hex, 2)]
  const rgb = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/.exec(text)
  return rgb ? [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])] : undefined
}

/** Red, green or blue from three or six hexadecimal digits. */
function channelOf(hex: string, i: number): number {
  const digits = hex.length === 3 ? hex.charAt(i).repeat(2) : hex.slice(2 * i, 2 * i + 2)
  return Number.parseInt(digits, 16)
}
