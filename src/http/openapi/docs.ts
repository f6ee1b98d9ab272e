// The REST API reference: Swagger UI from its package, under a policy that allows only its own files and nothing
// external.

import { assetBytes } from '../../db/assets.ts'
import { StaticAnswer, type HeaderList } from '../transport/answers.ts'
import type { WebPage } from '../transport/request-info.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Workspace API</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/api/docs/viewer.css">
</head>
<body>
  <div id="reference"></div>
  <script src="/api/docs/viewer.js"></script>
  <script src="/api/docs/start.js"></script>
</body>
</html>
`

/** `validatorUrl`: unless null, the viewer sends the document to its makers' server for validation. */
const start = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
})
`

/** The viewer's pages by path; each is read and compressed on first request. */
export function docsPages(): Map<string, WebPage> {
  return new Map([
    ['/api/docs', fixedPage(() => page, 'text/html; charset=utf-8')],
    ['/api/docs/start.js', fixedPage(() => start, 'text/javascript; charset=utf-8')],
    [
      '/api/docs/viewer.js',
      fixedPage(() => assetBytes('swagger-ui-bundle.js'), 'text/javascript; charset=utf-8'),
    ],
    [
      '/api/docs/viewer.css',
      fixedPage(() => assetBytes('swagger-ui.css'), 'text/css; charset=utf-8'),
    ],
  ])
}

function fixedPage(read: () => Buffer | string, type: string): WebPage {
  const headers: HeaderList = [
    ['content-type', type],
    ['content-security-policy', policy],
  ]
  let cached: StaticAnswer | undefined
  return (incoming) => (cached ??= new StaticAnswer(read(), headers)).answer(incoming)
}
