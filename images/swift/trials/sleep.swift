import Foundation

sleep(3600)
