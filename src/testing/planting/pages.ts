import { literals, type Planter } from './planter.ts'

/** A private page with one below it, two versions, a comment on a passage and its reply, links between the two, a publication, and one in the trash. */
export const pages: Planter = {
  async plant(make, say) {
    const root = await make('create_page', {
      title: say('page'),
      body_markdown: `# ${say('heading')}\n\n${say('passage')}\n`,
      kind: 'template',
    })
    const child = await make('create_page', {
      title: say('page below'),
      body_markdown: `[[${say('page')}]]`,
      parent_id: root.id,
    })
    await make('update_page', {
      page_id: root.id,
      body_markdown: `# ${say('heading')}\n\n${say('passage')} [[${say('page below')}]]\n`,
      icon: '📄',
    })
    const comment = await make('add_page_comment', {
      page_id: root.id,
      body_markdown: say('comment of a page'),
      quote: say('passage'),
    })
    const reply = await make('add_page_comment', {
      page_id: root.id,
      body_markdown: say('reply'),
      reply_to_comment_id: comment.id,
    })
    const versions = (await make('list_page_versions', { page_id: root.id })).items.map(
      (item: { id: string }) => item.id,
    )
    await make('publish_page', { page_id: child.id })
    const gone = await make('create_page', { title: say('trashed page') })
    await make('delete_page', { page_id: gone.id })
    return {
      page: [root.id, child.id],
      page_comment: [comment.id, reply.id],
      page_version: versions,
      trashed: [gone.id],
    }
  },
  rows: (planted) => ({
    pages: `id IN (${literals([...(planted.page ?? []), ...(planted.trashed ?? [])])})`,
    ...Object.fromEntries(
      [
        'page_versions',
        'page_shares',
        'page_comments',
        'page_labels',
        'page_links',
        'page_files',
        'page_publications',
      ].map((table) => [table, `page_id IN (${literals(planted.page)})`]),
    ),
  }),
}
