import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

/** Shades of the accent colour, lightest first, for components that need them. Most colours come from tokens.css. */
const accent: MantineColorsTuple = [
  '#f1f5ff',
  '#dee8ff',
  '#c2d4ff',
  '#a2bcff',
  '#83a2f8',
  '#688bf3',
  '#5376ea',
  '#4364df',
  '#3856cf',
  '#2e49b2',
]

/** Surfaces of the dark theme, for components that need shades: the greys of tokens.css. */
const dark: MantineColorsTuple = [
  '#e5e8ee',
  '#c1c4ca',
  '#a0a3a9',
  '#6f7277',
  '#282a2f',
  '#1a1c20',
  '#131519',
  '#0f1015',
  '#0a0c10',
  '#06070b',
]

const gray: MantineColorsTuple = [
  '#f7f9fc',
  '#f1f3f7',
  '#eaedf2',
  '#dde0e5',
  '#c8cad0',
  '#a8abb0',
  '#84868b',
  '#5a5c61',
  '#383b3f',
  '#1c1e22',
]

/**
 * Sets the text on accent fills to the color in tokens.css, as the accent's shade differs between the themes. Red
 * fills are
 * dark enough for white text in both.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  if (input.variant !== 'filled') return colors
  if (input.color === 'red')
    return {
      ...colors,
      background: 'var(--mantine-color-red-9)',
      hover: 'color-mix(in srgb, var(--mantine-color-red-9) 88%, black)',
      color: 'var(--mantine-color-white)',
    }
  const isAccent = input.color === undefined || input.color === 'accent'
  return isAccent ? { ...colors, color: 'var(--on-accent)' } : colors
}

const closeLabel = { closeButtonProps: { 'aria-label': 'Close' } }

export const theme = createTheme({
  colors: { accent, dark, gray },
  variantColorResolver,
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  fontFamily: 'var(--font)',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '1.34', sm: '1.54', md: '1.54', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '28px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '15px', lineHeight: '22px' },
      h3: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } },
    Modal: {
      defaultProps: {
        centered: true,
        ...closeLabel,
        attributes: { header: { role: 'presentation' } },
      },
    },
    Notification: { defaultProps: closeLabel },
    Drawer: { defaultProps: closeLabel },
    Tabs: { vars: () => ({ root: { '--tabs-text-color': 'var(--on-accent)' } }) },
    Checkbox: { vars: () => ({ root: { '--checkbox-icon-color': 'var(--on-accent)' } }) },
    Tooltip: { defaultProps: { openDelay: 400, fz: 12 } },
  },
})
