/** Metadata stored beside the pages in a zip: their order, and everything that file names cannot express. */
export interface Manifest {
  format: 'workspace-pages'
  version: 1
  pages: { path: string; title: string; icon?: string; kind?: string; labels?: string[] }[]
}

export const manifestName = 'workspace.json'
