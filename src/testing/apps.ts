/** Builds the views for MCP hosts where the server looks for them; skips files that are up to date. */
export async function buildApps(): Promise<void> {
  const url = new URL('../../tools/apps-build.mjs', import.meta.url).href
  const build = (await import(url)) as { buildApps(): Promise<string[]> }
  await build.buildApps()
}
