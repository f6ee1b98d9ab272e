/** What lies in a zip beside the pages: their order, and what a name of a file cannot say. */
export interface Manifest {
  format: 'workspace-pages'
  version: 1
  pages: { path: string; title: string; icon?: string; kind?: string; labels?: string[] }[]
}

export const manifestName = 'workspace.json'
