import { z } from 'zod'
import { setting } from './setting.ts'

export const calendarSettings = {
  video_link_template: setting({
    env: 'WORKSPACE_VIDEO_LINK_TEMPLATE',
    flag: '--video-link-template <url>',
    type: z
      .string()
      .refine(
        (text) =>
          text === '' ||
          (text.includes('{random}') &&
            URL.parse(text.replace('{random}', 'x'))?.protocol === 'https:'),
        'must be an https address with {random} in it, such as https://meet.jit.si/{random}',
      ),
    default: '',
    help: 'Video call address for events with add_video_link; {random} becomes unguessable. Empty: none.',
  }),
}
