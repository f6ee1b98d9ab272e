import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** The colours of a theme by name; those with an alpha value are never a background of text. */
function colorsOf(theme: 'light' | 'dark'): Map<string, string> {
  const block = new RegExp(`data-mantine-color-scheme="${theme}"\\] \\{([^}]*)\\}`).exec(css)?.[1]
  assert.ok(block, theme)
  const tokens = [...block.matchAll(/--([\w-]+): (oklch\([^)]*\));/g)]
  return new Map(tokens.map(([, name, value]) => [name ?? '', value ?? '']))
}

/** The relative luminance of an OKLCH colour in sRGB (CSS Color 4, WCAG 2.2). */
function luminance(color: string): number {
  const parts = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(color)
  assert.ok(parts, `${color} is not opaque`)
  const [lightness, chroma, hue] = parts.slice(1).map(Number) as [number, number, number]
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clampChannel = (linear: number) => Math.min(1, Math.max(0, linear))
  return (
    0.2126 * clampChannel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * clampChannel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * clampChannel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  )
}

function contrast(first: string, second: string): number {
  const [light, dark] = [luminance(first), luminance(second)].toSorted((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const surfaces = ['bg', 'side', 'hover', 'picked', 'float']
const states = ['accent', 'red', 'amber', 'green', 'blue', 'assistant', 'outside']

/**
 * Foregrounds and backgrounds with their minimum contrast: WCAG AA requires 4.5 for text and 3 for the edges of
 * controls.
 */
const pairs: readonly (readonly [readonly string[], readonly string[], number])[] = [
  [['text'], surfaces, 12],
  [['muted'], surfaces, 4.5],
  [states, surfaces, 4.5],
  [['accent-hover'], surfaces, 4.5],
  [['on-accent'], ['accent', 'accent-hover'], 4.5],
  [['control-line'], ['bg', 'side', 'float'], 3],
]

/** Purely decorative: lines between rows, shadows and backdrops. */
const decoration = ['line', 'shadow', 'backdrop']

for (const theme of ['light', 'dark'] as const)
  test(`all text and every control border has sufficient contrast with its background: ${theme}`, () => {
    const colors = colorsOf(theme)
    const colorOf = (name: string) => {
      const color = colors.get(name)
      assert.ok(color, `${name} is not a colour of ${theme}`)
      return color
    }
    for (const [fronts, backs, least] of pairs)
      for (const front of fronts)
        for (const back of backs) {
          const ratio = contrast(colorOf(front), colorOf(back))
          assert.ok(ratio >= least, `${front} on ${back}: ${ratio.toFixed(2)}, least ${least}`)
        }
  })

test('both themes define the same colors, and each is checked for contrast', () => {
  const [light, dark] = [[...colorsOf('light').keys()], [...colorsOf('dark').keys()]]
  assert.deepEqual(light, dark)
  const compared = new Set([
    ...pairs.flatMap(([fronts, backs]) => [...fronts, ...backs]),
    ...decoration,
  ])
  assert.deepEqual(
    light.filter((name) => !compared.has(name)),
    [],
  )
})

test('the contrast is computed as defined by WCAG', () => {
  assert.equal(contrast('oklch(1 0 0)', 'oklch(0 0 0)').toFixed(2), '21.00')
  // #767676, the lightest grey that is enough on white
  assert.equal(contrast('oklch(0.5680 0 0)', 'oklch(1 0 0)').toFixed(1), '4.5')
})
