type Mask = Map<string, Mask | undefined>

/** Fields that Google returns if none are requested. */
const defaultFields: Record<string, string> = {
  'drive#file': 'kind,id,name,mimeType',
  'drive#fileList': 'kind,nextPageToken,incompleteSearch,files(kind,id,name,mimeType)',
  'drive#changeList':
    'kind,nextPageToken,newStartPageToken,changes(kind,changeType,removed,fileId,file(kind,id,name,mimeType))',
  'drive#revisionList': 'kind,nextPageToken,revisions(kind,id,mimeType,modifiedTime)',
}

/** Only the fields of an answer named by the parameter `fields`, as in Google's API. */
export function masked(value: object, fields: string | null): unknown {
  const text = fields ?? defaultFields[(value as { kind?: string }).kind ?? '']
  return text === undefined || text === '*' ? value : narrowed(value, maskOf(text))
}

function maskOf(text: string): Mask {
  const mask: Mask = new Map()
  const pattern = /([\w*]+)(\(|\/)?|[,)]/y
  const stack: Mask[] = [mask]
  let path = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [whole, name, opens] = match
    if (whole === ')') stack.pop()
    else if (whole === ',') for (; path > 0; path--) stack.pop()
    else {
      const below: Mask | undefined = opens ? new Map() : undefined
      stack.at(-1)!.set(name!, below)
      if (below) stack.push(below)
      if (opens === '/') path++
    }
  }
  return mask
}

function narrowed(value: unknown, mask: Mask | undefined): unknown {
  if (mask === undefined || mask.has('*') || typeof value !== 'object' || value === null)
    return value
  if (Array.isArray(value)) return value.map((item) => narrowed(item, mask))
  const entries = Object.entries(value).filter(([name, one]) => mask.has(name) && one !== undefined)
  return Object.fromEntries(entries.map(([name, one]) => [name, narrowed(one, mask.get(name))]))
}
