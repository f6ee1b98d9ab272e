import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

// `npm run build` writes the app to dist/web; `npm run web` serves it during development, in front of a workspace at
// WORKSPACE_URL.
const target = process.env.WORKSPACE_URL ?? 'http://127.0.0.1:8420'
const served = Object.fromEntries(
  // src/web/api is served below /api, too, and items have addresses such as /webhooks/…
  ['/web/', '^/api/(?!(?:[\\w-]+/)*[\\w-]+\\.ts)', '/mcp', '/setup', '/p/', '/f/', '/status'].map(
    (path) => [path, { target, changeOrigin: true, headers: { origin: target } }],
  ),
)

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  css: { postcss: { plugins: [mantine()] } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0, // the policy of the pages takes no `data:` but for images
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
  },
  server: { proxy: served },
})
