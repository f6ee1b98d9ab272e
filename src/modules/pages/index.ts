import type { Module } from '../../core/module.ts'
import { addPageComment, listPageComments, resolvePageComment } from './comments.ts'
import { deletePage } from './deletions.ts'
import { pageDocument } from './documents.ts'
import { appendToPage, editPageSection } from './edits.ts'
import { downloadExport, exportPage } from './exports.ts'
import { importPages } from './imports.ts'
import { createPageFromTemplate } from './instances.ts'
import { movePage } from './moves.ts'
import { createPage, getPage, listPages, updatePage } from './pages.ts'
import { publishedPages } from './public-pages.ts'
import { publishPage, unpublishPage } from './publications.ts'
import { searchPages } from './searches.ts'
import { sharePage, unsharePage } from './shares.ts'
import { getPageTree } from './trees.ts'
import { getPageVersion, listPageVersions, restorePageVersion } from './versions.ts'
import { foundPages } from './finds.ts'

export const pagesModule: Module = {
  name: 'pages',
  about:
    'Markdown pages in a tree, private or of the organization, with versions, shares, comments and publication. Nouns: page, version, share, comment, publication.',
  operations: [
    listPages,
    getPageTree,
    searchPages,
    getPage,
    createPage,
    updatePage,
    editPageSection,
    appendToPage,
    movePage,
    deletePage,
    listPageVersions,
    getPageVersion,
    restorePageVersion,
    sharePage,
    unsharePage,
    publishPage,
    unpublishPage,
    listPageComments,
    addPageComment,
    resolvePageComment,
    createPageFromTemplate,
    exportPage,
    downloadExport,
    importPages,
  ],
  documents: [pageDocument],
  places: publishedPages,
  events: ['page.shared', 'page.published', 'page.commented'],
  finds: [foundPages],
}
