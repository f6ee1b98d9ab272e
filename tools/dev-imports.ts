// Import graph of the sources, as reported by the servers of `npm run dev`.

/** Modules by URL, with their imports in order. */
export type Imports = Map<string, Set<string>>

/** Adds pairs of importer and imported module. */
export function addImports(
  to: Imports,
  pairs: Iterable<[importer: string, imported: string]>,
): void {
  for (const [importer, imported] of pairs) {
    const importedUrls = to.get(importer) ?? new Set()
    to.set(importer, importedUrls.add(imported))
  }
}

/** Modules that do not depend on the given ones, even indirectly, in evaluation order. */
export function independentOf(imports: Imports, isChanging: (url: string) => boolean): string[] {
  const order: string[] = []
  const depends = new Map<string, boolean>()
  const visit = (url: string): boolean => {
    const cached = depends.get(url)
    if (cached !== undefined) return cached
    depends.set(url, false) // ends circles
    let isDependent = isChanging(url)
    for (const imported of imports.get(url) ?? []) if (visit(imported)) isDependent = true
    depends.set(url, isDependent)
    if (!isDependent) order.push(url)
    return isDependent
  }
  for (const url of imports.keys()) visit(url)
  return order
}
