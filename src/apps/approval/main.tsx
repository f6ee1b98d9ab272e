import { startView } from '../shared/start.tsx'
import '../shared/view.css'
import { ApprovalModel } from './approval.ts'
import './approval.css'
import { ApprovalView } from './ApprovalView.tsx'
import { watch } from './watch.ts'

void startView('approval', (host, redraw) => {
  const approval = new ApprovalModel(host, redraw)
  const loadAndWatch = async (result: Parameters<ApprovalModel['loadResult']>[0]) => {
    await approval.loadResult(result)
    watch(
      () => approval.refresh(),
      () => approval.isWaiting && host.canCall,
    )
  }
  return {
    draw: () => <ApprovalView approval={approval} host={host} />,
    onResult: (_, result) => void loadAndWatch(result),
    onCancelled: () => approval.cancelled(),
  }
})
