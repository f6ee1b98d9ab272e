/** An organization's name in its status page address. */
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
 * Addresses of organizations' status pages, oldest first: the first one has /status, which is the only one on most
 * instances.
 * Later ones append their name, and a number for duplicate names.
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
