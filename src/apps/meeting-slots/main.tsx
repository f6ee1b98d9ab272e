import { startView } from '../shared/start.tsx'
import '../shared/view.css'
import { SlotPicker } from './picker.ts'
import { PickerView } from './PickerView.tsx'
import './slots.css'

void startView('meeting-slots', (host, redraw) => {
  const picker = new SlotPicker(host, redraw)
  return {
    draw: () => <PickerView picker={picker} host={host} />,
    onResult: (args, result) => picker.loadResult(args, result),
    onCancelled: () => picker.cancelled(),
  }
})
