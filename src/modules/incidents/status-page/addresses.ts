/** An organization's name as it stands in the address of its status page. */
function slugOf(name: string): string {
  return (
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60) || 'organization'
  )
}

/**
 * The addresses of the status pages of organizations, oldest first: the first one has /status, and so the only one of most instances.
 * Each later one has its name behind it; of several with the same name the later ones have a number.
 */
export function statusPaths(orgs: readonly { id: string; name: string }[]): Map<string, string> {
  const takenPaths = new Set<string>()
  return new Map(
    orgs.map(({ id, name }, i) => {
      if (i === 0) return [id, '/status']
      const slug = slugOf(name)
      let free = slug
      for (let n = 2; takenPaths.has(free); n++) free = `${slug}-${n}`
      takenPaths.add(free)
      return [id, `/status/${free}`]
    }),
  )
}
