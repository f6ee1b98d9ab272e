import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import '../../src/modules/index.ts' // defines the resources
import { itemPaths } from '../../src/records/item-paths.ts'
import { camelCase, InvalidName, withElement, withImport, type Plan } from './plan.ts'

const ROUTER = 'src/web/router.tsx'
const DESTINATIONS = 'src/web/shell/destinations.ts'
const TEXTS = 'src/web/texts/en/app.ts'
const PLACES = 'src/web/places.ts'

/**
 * A page of the web app with its route, its texts, its navigation entry, and a browser test.
 * @throws InvalidName
 */
export function screenFiles(root: string, name: string): Plan {
  if (!/^[a-z]+(-[a-z0-9]+)*$/.test(name))
    throw new InvalidName(
      `"${name}" is not the name of a screen: kebab-case, such as team-calendar.`,
    )
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const isOfItems = itemPaths().some(({ path }) => path.split('/')[1] === name)
  if (isOfItems || read(PLACES).includes(`'${name}'`))
    throw new InvalidName(`The address /${name} belongs to another screen or to items: ${PLACES}.`)
  const folder = `src/web/pages/${name}`
  const text = camelCase(name)
  const component = text.charAt(0).toUpperCase() + text.slice(1)
  const title = (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('-', ' ')
  return {
    created: {
      [`${folder}/${component}.tsx`]: componentSource(component, text),
      [`${folder}/routes.ts`]: routesSource(name, text, component),
      [`${folder}/texts.ts`]: pageTextsSource(name, text),
      [`src/web/texts/en/${name}.ts`]: textsSource(text, title),
      [`src/web-tests/${name}.web.ts`]: testSource(name, title),
    },
    changed: {
      [ROUTER]: withRoutes(read(ROUTER), name, text),
      [DESTINATIONS]: withDestination(read(DESTINATIONS), name, text),
      [TEXTS]: read(TEXTS).replace('  nav: {\n', `  nav: {\n    ${text}: '${title}',\n`),
      [PLACES]: withElement(read(PLACES), read(PLACES).indexOf('= ['), `'${name}'`),
    },
    next: [
      `Write the page: ${folder}/${component}.tsx, with its texts in src/web/texts/en/${name}.ts.`,
      `Say in src/web-tests/${name}.web.ts what people do there, and run it: npm run test:web`,
      `Choose its place and its icon in ${DESTINATIONS}.`,
    ],
  }
}

function withRoutes(router: string, name: string, text: string): string {
  const line = `import { ${text}Routes } from './pages/${name}/routes.ts'`
  return withImport(router, line).replace(
    '      itemRoutes,\n',
    `      itemRoutes,\n      ${text}Routes,\n`,
  )
}

function withDestination(destinations: string, name: string, text: string): string {
  const entry = `{ to: '/${name}', label: t.app.nav.${text}, icon: IconLayoutGrid }`
  const listed = withElement(
    destinations,
    destinations.indexOf('destinations: [', destinations.indexOf('const main')),
    entry,
  )
  return listed.includes('  IconLayoutGrid,\n')
    ? listed
    : listed.replace('  IconKey,\n', '  IconKey,\n  IconLayoutGrid,\n')
}

function componentSource(component: string, text: string): string {
  return `import { IconLayoutGrid } from '@tabler/icons-react'
import { Page } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { t } from './texts.ts'

// TODO: read with useOperation (src/web/api/queries.ts) and show the content of the page.
export function ${component}() {
  return (
    <Page title={t.${text}.title}>
      <EmptyState icon={IconLayoutGrid} {...t.${text}.empty} />
    </Page>
  )
}
`
}

function routesSource(name: string, text: string, component: string): string {
  return `import type { AnyRoute } from '@tanstack/react-router'
import { pageRoute } from '../../ui/pages.ts'

export function ${text}Routes(parent: AnyRoute): AnyRoute[] {
  return [pageRoute(parent, '/${name}', () => import('./${component}.tsx'), '${component}')]
}
`
}

function pageTextsSource(name: string, text: string): string {
  return `import { ${text} } from '../../texts/en/${name}.ts'
import { t as shared } from '../../texts/index.ts'

/** Texts of this page: loaded with it, not with the app. */
export const t = { ...shared, ${text} }
`
}

function textsSource(text: string, title: string): string {
  return `export const ${text} = {
  title: '${title}',
  empty: { title: 'Nothing here yet', text: 'TODO: what will be here, and where it comes from.' },
}
`
}

function testSource(name: string, title: string): string {
  return `import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

test('${title} shows its content', { skip, timeout: 120_000 }, async () => {
  const visitor = await web.visit(web.ann)
  await visitor.go('/${name}')
  await visitor.page.getByRole('heading', { name: '${title}', level: 1 }).waitFor()
  await visitor.checkPage('${name}')
  // TODO: test what the page shows and what people do there.
  assert.equal(await visitor.page.getByText('TODO').count(), 0, 'The page is not implemented yet.')
})
`
}
