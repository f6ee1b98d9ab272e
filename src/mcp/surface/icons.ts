// Tool icons: one per module, as an address rather than data, which would make every list of tools a fifth longer.

/** Strokes of Tabler Icons (MIT), on a 24 by 24 grid. */
const strokes = {
  people:
    'M5 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M3 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2' +
    'M16 3.13a4 4 0 0 1 0 7.75M21 21v-2a4 4 0 0 0 -3 -3.85',
  projects: 'M5 4h4l3 3h7a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-11a2 2 0 0 1 2 -2',
  tasks:
    'M9.615 20h-2.615a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v8M14 19l2 2l4 -4' +
    'M9 8h4M9 12h2',
  labels:
    'M6.5 7.5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0' +
    'M3 6v5.172a2 2 0 0 0 .586 1.414l7.71 7.71a2.41 2.41 0 0 0 3.408 0l5.592 -5.592a2.41' +
    ' 2.41 0 0 0 0 -3.408l-7.71 -7.71a2 2 0 0 0 -1.414 -.586h-5.172a3 3 0 0 0 -3 3',
  views:
    'M4 4h16v2.172a2 2 0 0 1 -.586 1.414l-4.414 4.414v7l-6 2v-8.5l-4.48 -4.928a2 2 0 0 1' +
    ' -.52 -1.345v-2.227',
  chat:
    'M21 14l-3 -3h-7a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1h9a1 1 0 0 1 1 1v10' +
    'M14 15v2a1 1 0 0 1 -1 1h-7l-3 3v-10a1 1 0 0 1 1 -1h2',
  pages:
    'M14 3v4a1 1 0 0 0 1 1h4' +
    'M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2M9 9l1 0M9 13l6 0' +
    'M9 17l6 0',
  meetings:
    'M9 5a3 3 0 0 1 3 -3a3 3 0 0 1 3 3v5a3 3 0 0 1 -3 3a3 3 0 0 1 -3 -3l0 -5' +
    'M5 10a7 7 0 0 0 14 0M8 21l8 0M12 17l0 4',
  goals:
    'M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M12 7a5 5 0 1 0 5 5M13 3.055a9 9 0 1 0 7.941 7.945' +
    'M15 6v3h3l3 -3h-3v-3l-3 3M15 9l-3 3',
  time: 'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 7v5l3 3',
  notifications:
    'M10 5a2 2 0 1 1 4 0a7 7 0 0 1 4 6v3a4 4 0 0 0 2 3h-16a4 4 0 0 0 2 -3v-3a7 7 0 0 1 4 -6' +
    'M9 17v1a3 3 0 0 0 6 0v-1',
  incidents:
    'M8 16v-4a4 4 0 0 1 8 0v4M3 12h1m8 -9v1m8 8h1m-15.4 -6.4l.7 .7m12.1 -.7l-.7 .7' +
    'M6 17a1 1 0 0 1 1 -1h10a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-10a1 1 0 0 1 -1 -1l0 -2',
  contacts:
    'M20 6v12a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2M10 16h6' +
    'M11 11a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M4 8h3M4 12h3M4 16h3',
  forms:
    'M12 3a3 3 0 0 0 -3 3v12a3 3 0 0 0 3 3M6 3a3 3 0 0 1 3 3v12a3 3 0 0 1 -3 3' +
    'M13 7h7a1 1 0 0 1 1 1v8a1 1 0 0 1 -1 1h-7M5 7h-1a1 1 0 0 0 -1 1v8a1 1 0 0 0 1 1h1' +
    'M17 12h.01M13 12h.01',
  automations: 'M13 3l0 7l6 0l-8 11l0 -7l-6 0l8 -11',
  email:
    'M3 7a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-10' +
    'M3 7l9 6l9 -6',
  calendar:
    'M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12M16 3v4' +
    'M8 3v4M4 11h16',
  drive:
    'M14 3v4a1 1 0 0 0 1 1h4' +
    'M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2',
  knowledge: 'M11 15a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M18.5 18.5l2.5 2.5M4 6h16M4 12h4M4 18h4',
  activity: 'M3 12h4l3 8l4 -16l3 8h4',
  webhooks:
    'M4.876 13.61a4 4 0 1 0 6.124 3.39h6' +
    'M15.066 20.502a4 4 0 1 0 1.934 -7.502c-.706 0 -1.424 .179 -2 .5l-3 -5.5' +
    'M16 8a4 4 0 1 0 -8 0c0 1.506 .77 2.818 2 3.5l-3 5.5',
  system:
    'M8 16l2 -6l6 -2l-2 6l-6 2M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M12 3l0 2M12 19l0 2' +
    'M3 12l2 0M19 12l2 0',
} as const

const productName = 'workspace'
/** The product's letter. */
const productStroke = 'M4 7l4 10h1l3 -8l3 8h1l4 -10'

/** Names of all icons. */
export const iconNames: readonly string[] = [productName, ...Object.keys(strokes)]

/** The address of an icon on this workspace. */
export const iconPath = (name: string) => `/icons/${name}.svg`

/** An icon as SVG: white on a tile, visible on light and dark backgrounds. */
export function iconSvg(name: string): string {
  const stroke = name in strokes ? strokes[name as keyof typeof strokes] : productStroke
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 24 24">' +
    '<rect width="24" height="24" rx="5.5" fill="#3b5bdb"/>' +
    '<path transform="translate(4.2 4.2) scale(.65)" fill="none" stroke="#fff" stroke-width="2.2" ' +
    `stroke-linecap="round" stroke-linejoin="round" d="${stroke}"/></svg>`
  )
}

/** The icons of a module's tools; the product's if it has none. Their type is given when they are served. */
export function iconsOf(baseUrl: string, module: string): { src: string }[] {
  const name = module in strokes ? module : productName
  return [{ src: baseUrl + iconPath(name) }]
}

/** The icons of the product. */
export function productIcons(
  baseUrl: string,
): { src: string; mimeType: string; sizes: string[] }[] {
  return [{ src: baseUrl + iconPath(productName), mimeType: 'image/svg+xml', sizes: ['any'] }]
}
